/** Goes to a part of the page, as a person asked. The address stays as it is: its fragment is for invites. */
export function goTo(id: string): void {
  const element = document.getElementById(id);
  if (element === null) return;
  element.scrollIntoView({ block: "start" });
  element.focus({ preventScroll: true });
}
