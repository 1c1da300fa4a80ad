// A host of plain files, as dull as one can be: no API, no headers but the type and the encoding. The tests of the page without a server use it.
//   node scripts/page/host.mjs DIR [PORT]

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };

export class Host {
  #server = null;
  #sockets = new Set();
  port = 0;
  /** Paths that were asked for. */
  asked = [];
  /** Bytes of answers so far. */
  sent = 0;
  /** Bits per second that all answers together may have, and the milliseconds before each; null for no limit. @type {{bits:number,latency:number}|null} */
  slow = null;
  /** When the line is free again. */
  #free = 0;

  /** @param {string} folder @param {string} [under] the path under which it is served */
  constructor(folder, under = '/') {
    this.folder = folder;
    this.under = under;
  }

  get url() {
    return `http://127.0.0.1:${this.port}${this.under.replace(/\/$/, '')}`;
  }

  async start() {
    this.#server = createServer((request, response) => {
      let path;
      try {
        path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
      } catch {
        return void response.writeHead(400).end('no such address can be');
      }
      this.asked.push(path);
      const inner = path.startsWith(this.under) ? normalize(path.slice(this.under.length)) : '..';
      let file = join(this.folder, inner);
      if (!inner.startsWith('..') && existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
      if (inner.startsWith('..') || !existsSync(file)) return void response.writeHead(404).end('nothing here');
      const packed = request.headers['accept-encoding']?.includes('br') && existsSync(`${file}.br`);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...(packed ? { 'content-encoding': 'br' } : {}) });
      this.#send(response, readFileSync(packed ? `${file}.br` : file));
    });
    this.#server.on('connection', (socket) => this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket))));
    await new Promise((good) => this.#server.listen(this.port, '127.0.0.1', good));
    this.port = this.#server.address().port;
    return this;
  }

  /** Sends an answer, on a slow line piece by piece. */
  async #send(response, bytes) {
    this.sent += bytes.length;
    const PIECE = 8192;
    if (this.slow) await new Promise((go) => setTimeout(go, this.slow.latency));
    for (let at = 0; this.slow && at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      this.#free = Math.max(this.#free, performance.now()) + (8000 * piece.length) / this.slow.bits;
      await new Promise((go) => setTimeout(go, this.#free - performance.now()));
      response.write(piece);
    }
    response.end(this.slow ? undefined : bytes);
  }

  /** Ends it at once, connections too. */
  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server?.listening) await new Promise((good) => this.#server.close(good));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const host = new Host(process.argv[2]);
  host.port = Number(process.argv[3] ?? 8000);
  await host.start();
  console.log(`${host.url}/`);
}
