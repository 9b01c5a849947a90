/** Reads CSV as RFC 4180 has it: quoted cells may hold commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else isQuoted = false;
    } else if (letter === '"' && cell === "") {
      isQuoted = true;
    } else if (letter === ",") {
      row.push(cell);
      cell = "";
    } else if (letter === "\r" && text[at + 1] === "\n") {
      at += 1;
      rows.push([...row, cell]);
      row = [];
      cell = "";
    } else {
      cell += letter;
    }
  }
  if (cell !== "" || row.length > 0) throw new Error("the last line does not end");
  return rows;
}
