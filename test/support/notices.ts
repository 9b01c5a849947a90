import type { Page } from "playwright-core";

/** A system notification as a page asked for it. */
export interface SeenNotice {
  title: string;
  body: string;
  tag: string;
  isClosed: boolean;
}

declare global {
  interface Window {
    notices: { shown: Notification; isClosed: boolean }[];
  }
}

/** Keeps what the page shows as system notifications, which are real ones all the same. Before the page is opened. */
export async function recordNotices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.notices = [];
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        window.notices.push({ shown: this, isClosed: false });
      }
      override close() {
        super.close();
        for (const notice of window.notices) if (notice.shown === this) notice.isClosed = true;
      }
    };
  });
}

export function notices(page: Page): Promise<SeenNotice[]> {
  return page.evaluate(() =>
    window.notices.map(({ shown, isClosed }) => {
      const { title, body, tag } = shown;
      return { title, body, tag, isClosed };
    }),
  );
}

/** Resolves once the page has shown so many. */
export async function noticed(page: Page, count: number): Promise<SeenNotice[]> {
  await page.waitForFunction((count) => window.notices.length >= count, count);
  return notices(page);
}

/** Chromium without a window shows every page: this one takes itself to be in the background. */
export async function putOutOfView(page: Page, isOut = true): Promise<void> {
  await page.evaluate((isOut) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isOut });
    const state = isOut ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isOut);
}
