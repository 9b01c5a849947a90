/** The dark modules of a square as one SVG path: a bar for each run of a row. `modules`: row by row, 0 is light. */
export function darkRows(modules: ArrayLike<number>, size: number): string {
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (x < size && modules[y * size + x] !== 0) x += 1;
      if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`;
    }
  }
  return path;
}
