import { goTo } from "../view/go-to.ts";

const ADDRESS = "/sw.js";

/** Trusted Types: the one policy that the page's CSP knows, and the one address that it lets through. */
interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}
interface Policy {
  createScriptURL(address: string): string;
}

/** Over plain http there are none. */
const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;

/** Brings in the page's service worker, without which everything here works as well. */
export async function registerPageWorker(): Promise<void> {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy("page-worker", { createScriptURL: () => ADDRESS });
  // A notification of a card was clicked: see sw.ts.
  container?.addEventListener("message", ({ data }: MessageEvent<{ requestId?: string }>) => {
    if (data.requestId !== undefined) goTo(`card-${data.requestId}`, "more-cards");
  });
  try {
    await container?.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS);
  } catch {
    // A browser that keeps none.
  }
}
