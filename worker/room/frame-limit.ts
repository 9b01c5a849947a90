import { limits } from "../../src/protocol/index.ts";
import { TokenBucket } from "./token-bucket.ts";

/** How many frames one socket may send, and when sending on regardless is abuse. */
export class FrameLimit {
  readonly #bucket = new TokenBucket(limits.FRAME_BURST, 1000 / limits.FRAMES_PER_SECOND);
  #refusedSince = 0;
  #refused = 0;

  take(now: number): "ok" | "limited" | "abuse" {
    if (this.#bucket.take(now)) return "ok";
    if (now - this.#refusedSince > limits.FRAME_ABUSE_WINDOW_MS) {
      this.#refusedSince = now;
      this.#refused = 0;
    }
    this.#refused += 1;
    return this.#refused >= limits.FRAME_ABUSE_REJECTIONS ? "abuse" : "limited";
  }
}
