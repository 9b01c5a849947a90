/**
 * Goes to the first of these parts of the page that is drawn, as a person asked. The address stays as it is: its fragment is for
 * invites.
 */
export function goTo(...ids: string[]): void {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null);
  if (element === undefined) return;
  element.scrollIntoView({ block: "start" });
  element.focus({ preventScroll: true });
}
