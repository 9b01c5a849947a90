import { readFileSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/project.ts";
import { putOutOfView } from "../support/notices.ts";
import { command, PageBench, type RoomScene, type RoomTab } from "../support/page-bench.ts";

let bench: PageBench;
let scene: RoomScene;

beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench.end());
beforeEach(async () => {
  scene = await bench.openRoom();
});
afterEach(() => bench.clearAfterPeace());

const WITH_WORKER: BrowserContextOptions = {
  serviceWorkers: "allow",
  permissions: ["notifications"],
};

/** A person's page that its service worker stands behind. */
async function openWorked(before?: Parameters<RoomScene["openPage"]>[2]): Promise<RoomTab> {
  const tab = await scene.openPage("Ana", WITH_WORKER, before);
  await tab.page.evaluate(() => navigator.serviceWorker.ready);
  await tab.page.waitForFunction(() => caches.has("handraise-offline-1"));
  await tab.page.reload();
  await tab.connected();
  await tab.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return tab;
}

describe("what a browser needs to install the page", () => {
  it("is there, with icons of the sizes that it says", async () => {
    const html = await (await fetch(`${bench.server.url}/r`)).text();
    expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"');
    const reply = await fetch(`${bench.server.url}/manifest.webmanifest`);
    expect(reply.headers.get("content-type")).toContain("application/manifest+json");
    const manifest = (await reply.json()) as Manifest;
    expect(manifest).toMatchObject({ start_url: "/r", scope: "/", display: "standalone" });
    const sizes = new Map<string, string>();
    for (const icon of manifest.icons.filter(({ type }) => type === "image/png")) {
      const bytes = new DataView(await (await fetch(bench.server.url + icon.src)).arrayBuffer());
      expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(icon.sizes);
      sizes.set(`${icon.sizes} ${icon.purpose ?? "any"}`, icon.src);
    }
    expect([...sizes.keys()]).toEqual(["192x192 any", "512x512 any", "512x512 maskable"]);
  });

  it("is found good by a browser", async () => {
    const tab = await scene.openPage("Ana", WITH_WORKER);
    const session = await tab.page.context().newCDPSession(tab.page);
    const { errors, url } = await session.send("Page.getAppManifest");
    expect({ errors, url }).toEqual({
      errors: [],
      url: `${bench.server.url}/manifest.webmanifest`,
    });
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // A context of its own is what Chromium calls incognito: nothing is installed from there.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
  });
});

interface Manifest {
  icons: { src: string; type: string; sizes: string; purpose?: string }[];
}

describe("the service worker", () => {
  it("keeps one page without a key in it, and drops what an older one kept", async () => {
    const tab = await openWorked(async (page) => {
      await page.goto(bench.server.url);
      await page.evaluate(() => caches.open("handraise-offline-0"));
    });
    const id = await scene.ask(command("x".repeat(40_000)));
    await tab.card(id).waitFor();
    const kept = await tab.page.evaluate(async () => {
      const found: Record<string, string> = {};
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const { url } of await cache.keys()) {
          const { pathname } = new URL(url);
          found[`${name} ${pathname}`] = (await (await cache.match(url))?.text()) ?? "";
        }
      }
      return found;
    });
    expect(Object.keys(kept).length).toBeGreaterThan(1);
    for (const [name, text] of Object.entries(kept)) {
      expect(name).toMatch(/^handraise-offline-1 \/(offline$|assets\/)/);
      expect(text).not.toMatch(/hr1\.\w\w\./);
    }
  });

  it("says that there is no connection, and goes on where it was once there is one", async () => {
    const tab = await openWorked();
    const { page } = tab;
    await page.context().setOffline(true);
    await page.goto(scene.room.humanUrl).catch(() => undefined);
    await page.reload();
    await page.getByRole("heading", { name: "No connection" }).waitFor();
    expect(await page.evaluate(() => location.href)).toBe(scene.room.humanUrl);
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
    await page.context().setOffline(false);
    await tab.connected();
    bench.problems.length = 0;
  });

  it("takes from what it keeps nothing that the server has", async () => {
    const tab = await openWorked();
    await tab.page.evaluate(async () => {
      const cache = await caches.open("handraise-offline-1");
      const stale = () => new Response("stale", { headers: { "content-type": "text/html" } });
      await cache.put("/offline", stale());
      await cache.put("/r", stale());
      for (const { src } of document.scripts) await cache.put(src, stale());
    });
    await tab.page.reload();
    await tab.connected();
    expect(await tab.page.locator("body").innerText()).not.toContain("stale");
  });

  it("shows and withdraws notifications where a page alone may show none, as on phones", async () => {
    const tab = await openWorked(async (page) => {
      await page.addInitScript(() => {
        const { permission, requestPermission } = Notification;
        class None {
          static permission = permission;
          static requestPermission = requestPermission.bind(Notification);
          constructor() {
            throw new TypeError("Illegal constructor");
          }
        }
        Object.assign(window, { Notification: None });
      });
    });
    const { page } = tab;
    await page.getByRole("button", { name: "Notify me" }).click();
    const group = page.getByRole("group", { name: "System notification" });
    await group.getByRole("button", { name: "Turn on" }).click();
    await group.getByRole("button", { name: "Turn off" }).waitFor();
    await putOutOfView(page);
    const id = await scene.ask(command("ls"));
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        const all = await registration.getNotifications();
        return all.map(({ title, body, tag }) => ({ title, body, tag }));
      });
    await expect.poll(shown).toEqual([{ title: "claude asks", body: "Run a command", tag: id }]);
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(async () => {
      const scope = self as unknown as WorkerScope;
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
    });
    await tab.card(id).and(page.locator(":focus")).waitFor();
    const next = await scene.ask(command("pwd"));
    await expect.poll(shown).toMatchObject([{ tag: next }]);
    await scene.claude.api.withdraw(next, "turn_ended");
    await expect.poll(shown).toEqual([]);
  });

  it("is brought in by the one Trusted Types policy there is", async () => {
    const tab = await openWorked();
    const reply = await fetch(`${bench.server.url}/r`);
    const csp = reply.headers.get("content-security-policy") ?? "";
    expect(csp).toContain("require-trusted-types-for 'script'; trusted-types page-worker");
    expect(csp).toContain("manifest-src 'self'; worker-src 'self'");
    const refusals = await tab.page.evaluate(() => {
      const tries = [
        () => Reflect.get(window, "trustedTypes").createPolicy("page-worker", {}),
        () => Reflect.get(window, "trustedTypes").createPolicy("another", {}),
        () => (document.body.innerHTML = "<b>x</b>"),
      ];
      return tries.map((act) => {
        try {
          act();
          return "done";
        } catch {
          return "refused";
        }
      });
    });
    expect(refusals).toEqual(["refused", "refused", "refused"]);
    bench.problems.length = 0;
  });
});

interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, init: object) => Event;
}

it("the script of the service worker names no address of the API", () => {
  const code = readFileSync(`${ROOT}dist/page/sw.js`, "utf8");
  expect(
    code
      .match(/[`"']\/[\w/]*[`"']/g)
      ?.map((text) => text.slice(1, -1))
      .toSorted(),
  ).toEqual(["/api/", "/assets/", "/offline", "/r"]);
});
