/** Loads a hash function of our own. */
export type LoadSha256 = () => Promise<(bytes: Uint8Array) => Uint8Array>;

const loadNoble: LoadSha256 = async () => (await import("@noble/hashes/sha2.js")).sha256;

/** Lower-case hex; undefined where nothing here can compute it. `subtle` is there only over https and on localhost. */
export async function sha256Hex(
  bytes: Uint8Array<ArrayBuffer>,
  subtle: SubtleCrypto | undefined,
  loadSha256 = loadNoble,
): Promise<string | undefined> {
  if (subtle !== undefined) return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
  try {
    const sha256 = await loadSha256();
    return hex(sha256(bytes));
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
