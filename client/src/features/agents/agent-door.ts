/**
 * The socket that relays connect to, accessible only to the current user. Each relay must send a one-time password; a
 * wrong or late password closes the connection.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';

const patienceMs = 10_000;
const wordLength = 64;
/** Maximum number of unused passwords. The editor may request more servers than it starts. */
const wordsMax = 20;

export class AgentDoor {
  readonly #serve: (socket: Socket) => void;
  readonly #words: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  #open:
    | Promise<{ readonly address: string; readonly server: Server; readonly folder: string | undefined }>
    | undefined;

  constructor(serve: (socket: Socket) => void) {
    this.#serve = serve;
  }

  /** Returns the socket address and a one-time password for one relay. */
  async invite(): Promise<{ readonly address: string; readonly word: string }> {
    this.#open ??= this.#listen();
    const { address } = await this.#open;
    const word = randomBytes(wordLength / 2).toString('hex');
    this.#words.push(Buffer.from(word));
    this.#words.splice(0, this.#words.length - wordsMax);
    return { address, word };
  }

  async close(): Promise<void> {
    const open = await this.#open?.catch(() => undefined); // the caller handles the error
    for (const socket of this.#sockets) socket.destroy();
    open?.server.close();
    if (open?.folder !== undefined) await rm(open.folder, { recursive: true, force: true });
  }

  async #listen() {
    const isWindows = process.platform === 'win32';
    // Creates the socket in a private folder, since the socket itself is not private until its mode changes.
    const folder = isWindows ? undefined : await makeScratchFolder();
    const address =
      folder === undefined
        ? `\\\\.\\pipe\\identity-queries-${randomBytes(16).toString('hex')}`
        : path.join(folder, 'agents.sock');
    const server = createServer((socket) => this.#ask(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
    if (folder !== undefined) await chmod(address, 0o600);
    return { address, server, folder };
  }

  #ask(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    let said = Buffer.alloc(0);
    const listen = (chunk: Buffer): void => {
      said = Buffer.concat([said, chunk]);
      if (said.length <= wordLength) return;
      socket.off('data', listen);
      clearTimeout(timer);
      if (said[wordLength] !== 0x0a || !this.#takes(said.subarray(0, wordLength))) {
        socket.destroy();
        return;
      }
      socket.pause();
      socket.unshift(said.subarray(wordLength + 1));
      this.#serve(socket);
    };
    socket.on('data', listen);
  }

  #takes(word: Buffer): boolean {
    const index = this.#words.findIndex(
      (known) => known.length === word.length && timingSafeEqual(known, word),
    );
    if (index >= 0) this.#words.splice(index, 1);
    return index >= 0;
  }
}
