/**
 * Removes `100 Continue` from the service's responses. Servers may send it unprompted (RFC 9110 section 15.2.1), some
 * gateways do so before each response, and undici then closes the connection.
 */
import type { Duplex } from 'node:stream';
import { Agent, buildConnector } from 'undici';

const start = Buffer.from('HTTP/1.1 100 ');
const end = Buffer.from('\r\n\r\n');
/** A longer head is not `100 Continue`. */
const headMaxBytes = 16_384;

export function withoutContinue(connect: buildConnector.connector): buildConnector.connector {
  return (to, done) =>
    connect(to, (error, socket) => {
      if (error === null) {
        filter(socket);
        done(null, socket);
      } else done(error, null);
    });
}

/** Connections are kept alive by default. */
export function createAgent(): Agent {
  return new Agent({ connect: withoutContinue(buildConnector({})) });
}

/**
 * Filters only at the start of a response, after a write, so bodies stay unchanged. undici reads with
 * `read()` and never sends a request before the previous response has ended.
 */
function filter(socket: Duplex): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null; // undici sets no encoding
  const write = socket.write.bind(socket);
  let isStart = true;
  let held: Buffer | undefined;
  Object.assign(socket, {
    write: (...chunk: Parameters<typeof write>) => {
      isStart = true;
      return write(...chunk);
    },
    read: (size?: number) => {
      for (;;) {
        const chunk = read(size);
        if (chunk === null || !isStart) return chunk;
        const bytes = held === undefined ? chunk : Buffer.concat([held, chunk]);
        held = undefined;
        const rest = afterContinue(bytes);
        if (rest === 'unknown') held = bytes;
        else if (rest.length > 0) {
          isStart = false;
          return rest;
        }
      }
    },
  });
}

/** Returns the data after any complete `100 Continue` heads; `unknown` if more bytes are needed. */
function afterContinue(bytes: Buffer): Buffer | 'unknown' {
  let rest = bytes;
  while (rest.length > 0) {
    const known = Math.min(rest.length, start.length);
    if (!rest.subarray(0, known).equals(start.subarray(0, known))) return rest;
    const endsAt = rest.indexOf(end);
    if (endsAt === -1) return rest.length > headMaxBytes ? rest : 'unknown';
    rest = rest.subarray(endsAt + end.length);
  }
  return rest;
}
