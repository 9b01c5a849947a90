import { appendFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What agents fetch: a server on this machine that writes down every request, in the file of the case that it belongs to. */
export class FetchTarget {
  readonly #server: Server;
  readonly #files: string[] = [];

  static async start(): Promise<FetchTarget> {
    const target = new FetchTarget();
    target.#server.listen(0, "127.0.0.1");
    await once(target.#server, "listening");
    return target;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      const number = Number(/^\/fetch\/(\d+)$/.exec(request.url ?? "")?.[1]);
      const file = this.#files[number];
      if (file !== undefined) appendFileSync(file, `${request.method ?? ""}\n`);
      response.writeHead(200, { "Content-Type": "text/plain" }).end("A page.\n");
    });
  }

  /** @returns the URL whose requests are written to `file` */
  add(file: string): string {
    const { port } = this.#server.address() as AddressInfo;
    this.#files.push(file);
    return `http://127.0.0.1:${port}/fetch/${this.#files.length - 1}`;
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
