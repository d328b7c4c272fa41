/** The parser's worker thread: it owns the instance, replaces a broken one, and knows nothing of documents. */
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { ParseOutcome } from '../language/parser.ts';
import { createParserInstance, type ParserInstance } from './instance.ts';
import type { ParseRequest, WorkerMessage } from './messages.ts';

// In the bundle the .wasm file lies beside this script; run from source, it is found in its package.
const isBundle = !import.meta.filename.endsWith('.ts');
const locateFile = isBundle ? (file: string): string => path.join(import.meta.dirname, file) : undefined;

async function serve(): Promise<void> {
  if (parentPort === null) {
    throw new Error('This script is the parser thread of the language server; it is not run by itself.');
  }
  const port = parentPort;
  const send = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  let instance: ParserInstance | undefined = await createParserInstance(locateFile);
  let previous: Promise<void> = Promise.resolve();

  const parseOne = async (text: string): Promise<ParseOutcome> => {
    instance ??= await createParserInstance(locateFile);
    try {
      return instance.parse(text);
    } catch (error) {
      instance = undefined;
      return { kind: 'gave-up', reason: error instanceof RangeError ? 'stack' : 'crash' };
    }
  };
  const answer = async ({ texts }: ParseRequest): Promise<void> => {
    const outcomes: ParseOutcome[] = [];
    for (const text of texts) {
      outcomes.push(await parseOne(text));
    }
    send({ kind: 'parsed', outcomes });
  };
  port.on('message', (request: ParseRequest) => {
    previous = previous.then(() => answer(request));
  });
  send({ kind: 'ready' });
}

void serve();
