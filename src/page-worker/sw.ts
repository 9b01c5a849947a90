// The page's service worker. It keeps one page, which says that the server cannot be reached, and nothing else: no page of the Room,
// so that none older than the server is ever shown, no call and no answer of the API, no key. Phones show notifications through it.

const worker = self as unknown as ServiceWorkerGlobalScope;

const OFFLINE = "/offline";
/** Counted up when what is kept changes its shape. */
const KEPT = "handraise-offline-1";

worker.addEventListener("install", (event) => event.waitUntil(keepOffline()));
worker.addEventListener("activate", (event) => event.waitUntil(dropOlder()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && !pathname.startsWith("/api/")) {
    event.respondWith(fetchOr(request, OFFLINE));
  } else if (pathname.startsWith("/assets/")) {
    event.respondWith(fetchOr(request, pathname));
  }
});

/** A card's notification, for a browser that shows none of a page's own. */
worker.addEventListener("message", ({ data, source }) => {
  if (!(source instanceof WindowClient)) return;
  const { title, options } = data as { title: string; options: NotificationOptions };
  void worker.registration.showNotification(title, { ...options, data: source.id });
});

worker.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(goToCard(String(notification.data), notification.tag));
});

async function goToCard(clientId: string, requestId: string): Promise<void> {
  const client = await worker.clients.get(clientId);
  if (client instanceof WindowClient) {
    client.postMessage({ requestId }, []);
    await client.focus();
  } else await worker.clients.openWindow("/r");
}

/** The network first, and what is kept only where it does not answer at all. */
async function fetchOr(request: Request, kept: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const response = await caches.match(kept, { cacheName: KEPT });
    if (response === undefined) throw error;
    return response;
  }
}

async function keepOffline(): Promise<void> {
  const page = await fetch(OFFLINE, { cache: "reload" });
  if (!page.ok) throw new Error("no page to keep");
  const html = await page.clone().text();
  const parts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  const cache = await caches.open(KEPT);
  await cache.addAll(parts.filter((path) => path !== undefined));
  await cache.put(OFFLINE, page);
  await worker.skipWaiting();
}

async function dropOlder(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}
