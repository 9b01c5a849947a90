const EVERY_MS = 3_000;

// Of the address nothing is lost: a link of a Room, with what stands after the `#`, is tried again as it is.
const retry = () => location.reload();

/** A browser that says it is online has not reached this server yet. */
async function look(): Promise<void> {
  try {
    await fetch("/api/health");
    retry();
  } catch {
    // Still nothing.
  }
}

document.getElementById("again")?.addEventListener("click", retry);
setInterval(() => void look(), EVERY_MS);
