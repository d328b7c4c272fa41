/** The process's standard streams, injectable for tests. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { jsonForTerminal } from '#base/shown-text/for-terminal.ts';

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Exit codes: 0 for success; 1 for findings, failed controls or differences; 2 for invalid usage or input, or an
 * unreachable service.
 */
export const exitCodes = { clean: 0, errorsFound: 1, badInput: 2 } as const;

/** Writes, and waits for a slow reader, so that memory stays bounded. What cannot be written is told by main.ts. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (stream.write(text)) return;
  await once(stream, 'drain').catch(() => undefined);
}

/** Writes one machine-readable result. */
export async function writeJson(stream: Writable, value: unknown): Promise<void> {
  await write(stream, `${jsonForTerminal(JSON.stringify(value, undefined, 2))}\n`);
}

/** Returns whether a stream is a terminal, which gets colors and progress. */
export function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
