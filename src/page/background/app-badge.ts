/** The number on the icon of an installed app, where there are such numbers. */
export function setBadge(count: number): void {
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>;
  const done = count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator);
  // Not installed, or not allowed: nobody misses it.
  done?.catch(() => undefined);
}
