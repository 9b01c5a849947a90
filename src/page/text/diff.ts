/** What happened to a file, and where that is not drawn. */
export const DIFF_NAMES = {
  new: "New file",
  empty_or_new: "New or empty file",
  emptied: "Emptied or deleted",
  changed: "Diff",
  part: "Diff, part of a larger file",
  same: "No difference",
  not_drawn: "Change",
  part_not_drawn: "Change, part of a larger file",
} as const;

export const diff = {
  caption: "Unified diff: old line, new line, change, text",
  added: "added",
  removed: "removed",
  linesAdded: " lines added",
  linesRemoved: " lines removed",
  unchanged: (count: number) => `${count} unchanged lines`,
  /** Nobody here can check what was not sent. */
  unsent: (count: number) =>
    count === 1
      ? "1 line not sent, said to be unchanged"
      : `${count} lines not sent, said to be unchanged`,
  unsentAfter: "Whatever follows in the file was not sent, said to be unchanged",
  noNewline: "no newline at the end",
  empty: "It is empty.",
  tooLarge: "Too large, not shown as a diff. This is the whole new text.",
  tooLargePart: "Too large, not shown as a diff. This is all of the new text that was sent.",
  binary: "Binary, not shown as a diff. This is the whole new text.",
  same: "The text before and the text after are equal. This is that text.",
  collapsed: (lines: number) =>
    lines === 1 ? "1 line, not seen yet" : `${lines} lines, not seen yet`,
  show: "Show this change",
  moreFiles: (files: number) =>
    files === 1 ? "1 more file changes, not seen yet" : `${files} more files change, not seen yet`,
  showFiles: (files: number) => (files === 1 ? "Show 1 more file" : `Show ${files} more files`),
  before: "The text before",
} as const;
