export type NoticePermission = NotificationPermission | "missing";

export interface Notice {
  /** One notification for each, however many tabs show it. */
  tag: string;
  title: string;
  body: string;
}

/** Browsers have no notifications for pages without https. */
export function noticePermission(): NoticePermission {
  return "Notification" in globalThis && isSecureContext ? Notification.permission : "missing";
}

/** Asks the person, through the browser. To be called while they press something, and never else. */
export async function askPermission(): Promise<NoticePermission> {
  if (noticePermission() === "missing") return "missing";
  return Notification.requestPermission();
}

/** Shows a system notification. Returns how to withdraw it. */
export async function showNotice(notice: Notice, onClick: () => void): Promise<() => void> {
  const { tag, title, body } = notice;
  try {
    const shown = new Notification(title, { tag, body, icon: ICON });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
      onClick();
    });
    return () => shown.close();
  } catch {
    return showByWorker(notice);
  }
}

const ICON = "/icon-192.png";

/** Phones show what a service worker shows, and nothing else. It tells of a click by a message: see sw.ts. */
async function showByWorker({ tag, title, body }: Notice): Promise<() => void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  const registration = await serviceWorker?.getRegistration();
  registration?.active?.postMessage({ title, options: { tag, body, icon: ICON } }, []);
  return () => void withdraw(registration, tag);
}

async function withdraw(
  registration: ServiceWorkerRegistration | undefined,
  tag: string,
): Promise<void> {
  const shown = (await registration?.getNotifications({ tag })) ?? [];
  for (const one of shown) one.close();
}
