/** The process' standard streams as the commands see them, so that a test can give its own. */
import type { Readable, Writable } from 'node:stream';
import { once } from 'node:events';

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What a command ends with: nothing wrong; errors found in the queries; input that could not be read or understood. */
export const exitCodes = { clean: 0, errorsFound: 1, badInput: 2 } as const;

/** Waits while the reader of the output is slower than we are, so that memory stays constant. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) {
    await once(stream, 'drain');
  }
}
