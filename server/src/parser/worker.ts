/** The parser's worker thread. Owns the parser instance, and replaces it if it breaks. */
import { parentPort, workerData } from 'node:worker_threads';
import { setTranslations } from '#base/texts.ts';
import type { ParseOutcome } from '../language/checks/parser.ts';
import type { TypeContext } from '../language/types/type-statement.ts';
import { createParserInstance, type ParserInstance } from './instance.ts';
import type {
  NamesOutcome,
  ParseRequest,
  TreeOutcome,
  TypesOutcome,
  WorkerMessage,
  WorkerStart,
} from './messages.ts';

async function serve(): Promise<void> {
  if (parentPort === null)
    throw new Error('This script is the parser thread of the language server; it does not run alone.');
  const { translations, grammar } = workerData as WorkerStart; // set by WorkerParser
  setTranslations(translations);
  const port = parentPort;
  const send = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  let instance: ParserInstance | undefined = await createParserInstance(grammar);
  let previous: Promise<void> = Promise.resolve();

  /** Uses the instance, and discards it if it breaks. */
  const attempt = async <T>(use: (own: ParserInstance) => T, broken: (error: unknown) => T): Promise<T> => {
    instance ??= await createParserInstance(grammar);
    try {
      return use(instance);
    } catch (error) {
      instance = undefined;
      return broken(error);
    }
  };
  const parseOne = (text: string): Promise<ParseOutcome> =>
    attempt<ParseOutcome>(
      (own) => own.parse(text),
      (error) => ({ kind: 'gave-up', reason: error instanceof RangeError ? 'stack' : 'crash' }),
    );
  const readOne = (text: string): Promise<NamesOutcome> =>
    attempt(
      (own) => own.readNames(text),
      () => undefined,
    );
  const readTree = (text: string): Promise<TreeOutcome> =>
    attempt(
      (own) => own.readTree(text),
      () => undefined,
    );
  const typeOne = (text: string, context: TypeContext | undefined): Promise<TypesOutcome> =>
    attempt(
      (own) => (context === undefined ? undefined : own.readTypes(text, context)),
      () => undefined,
    );
  const answer = async ({ kind, texts, contexts = [] }: ParseRequest): Promise<void> => {
    switch (kind) {
      case 'parse':
        send({ kind, outcomes: await inOrder(texts, parseOne) });
        break;
      case 'names':
        send({ kind, outcomes: await inOrder(texts, readOne) });
        break;
      case 'trees':
        send({ kind, outcomes: await inOrder(texts, readTree) });
        break;
      case 'types':
        send({ kind, outcomes: await inOrder(texts, (text, index) => typeOne(text, contexts[index])) });
        break;
      default:
        kind satisfies never;
    }
  };
  port.on('message', (request: ParseRequest) => {
    previous = previous.then(() => answer(request));
  });
  send({ kind: 'ready' });
}

async function inOrder<T>(
  texts: readonly string[],
  run: (text: string, index: number) => Promise<T>,
): Promise<readonly T[]> {
  const outcomes: T[] = [];
  for (const [index, text] of texts.entries()) outcomes.push(await run(text, index));
  return outcomes;
}

void serve();
