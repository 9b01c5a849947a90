export const unreadable = {
  title: (count: number) =>
    count === 1
      ? "1 request waits that this page cannot show"
      : `${count} requests wait that this page cannot show`,
  text: "It came in a form that this page does not know, so it cannot be read or answered here. Reload the page. If that changes nothing, it ends when its time is up, and nothing of it is allowed.",
} as const;
