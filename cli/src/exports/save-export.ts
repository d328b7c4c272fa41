/** Saves an export's file: requests, waits and downloads; or resumes an interrupted download. */
import { AuthError, ContractError, NotFoundError, RejectedError } from '#api/client/errors.ts';
import type { DownloadCreate } from '#api/contract/downloads.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { ageText } from '#base/words/age-text.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { sizeText } from '#base/words/size-text.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { createExport, followExport, openExport, type ExportsOf } from '#core/exports/ask-export.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import { explainExport } from '#core/exports/explain-export.ts';
import { saveExport } from '#core/exports/export-file.ts';
import { partStateOf } from '#core/exports/export-parts.ts';
import { ExportStore, type KnownExport } from '#core/exports/export-store.ts';
import { partWords } from '#core/exports/format-part.ts';
import { findUnfinished, keepAsSaved, leaveUnfinished } from '#core/exports/unfinished-exports.ts';
import { CliError, InterruptedError, type CliContext } from '../context.ts';
import { memoryOf } from '../memory-of.ts';
import { write, writeJson } from '../output.ts';
import { failureLines, failureOfRun } from '../run/failure-text.ts';
import type { Service } from '../service.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';

type NewExport = Pick<Required<DownloadCreate>, 'context' | 'fileFormat'>;

export interface SaveOptions {
  /** What to request, or the ID of an export that was requested before, here or elsewhere. */
  readonly request: NewExport | { readonly id: string };
  /** Absolute path of the file. */
  readonly target: string;
  readonly isFresh: boolean;
  readonly isJson: boolean;
}

interface Saving {
  readonly context: CliContext;
  readonly of: ExportsOf;
  readonly options: SaveOptions;
  readonly progress: Progress;
}

/** Number of consecutive polling failures after which the command gives up. */
const failuresMax = 8;

/** @throws CliError if there is no file, InterruptedError if the user interrupts the command. */
export async function saveExportTo(
  context: CliContext,
  { client, profile }: Service,
  options: SaveOptions,
): Promise<void> {
  const store = new ExportStore(memoryOf(context));
  const progress = createProgress(context.stderr);
  const saving: Saving = { context, of: { client, profile, store }, options, progress };
  try {
    const { known, bytes } = await saved(saving);
    progress.clear();
    const { id, context: dataSet, fileFormat } = known;
    if (options.isJson)
      await writeJson(context.stdout, { id, context: dataSet, fileFormat, file: options.target, bytes });
    else await write(context.stderr, `${sizeText(bytes)} in ${forTerminal(options.target)}.\n`);
  } finally {
    progress.clear();
  }
}

interface Saved {
  readonly known: KnownExport;
  readonly bytes: number;
}

async function saved(saving: Saving): Promise<Saved> {
  const { context, of, options } = saving;
  const { target, request } = options;
  if ('id' in request) return await savedById(saving, request.id);
  const wanted = { connectionKey: connectionKeyOf(of.profile), ...request, target };
  const left = options.isFresh ? undefined : await findUnfinished(of.store, wanted, Date.now());
  if (left !== undefined) {
    const age = ageText(left.createdAt, Date.now(), 'en');
    await write(context.stderr, `Continuing the export requested ${age}; --fresh asks for a new one.\n`);
    try {
      return await finish(saving, left);
    } catch (error) {
      if (explainExport(error, left)?.isOver !== true) throw await inWords(saving, left, error);
      await write(context.stderr, 'The service no longer has its file: requesting a new one.\n');
    }
  }
  await leaveUnfinished(of.store, wanted);
  const known = await asked(saving, request);
  try {
    return await finish(saving, known);
  } catch (error) {
    throw await inWords(saving, known, error);
  }
}

async function savedById(saving: Saving, id: string): Promise<Saved> {
  const { context, of } = saving;
  const known = await openExport(of, id, context.signal).catch((error: unknown) => {
    const isGone = error instanceof NotFoundError;
    // A service may refuse an ID that is not in its form, or for a reason of its own.
    const isRefused = error instanceof RejectedError && (error.status === 400 || error.status === 422);
    throw isGone || isRefused
      ? new CliError(
          `The service has no export "${id}". It may keep exports only for some time.`,
          isGone ? [] : [error.message],
          { cause: error },
        )
      : asCliError(context, id, error);
  });
  try {
    return await finish(saving, known);
  } catch (error) {
    throw await inWords(saving, known, error);
  }
}

async function asked(saving: Saving, request: NewExport): Promise<KnownExport> {
  const { context, of, options, progress } = saving;
  progress.show(`Requesting ${contextTitle(request.context)}`);
  try {
    return await createExport(of, request, {
      signal: context.signal,
      say: (note) => progress.show(note),
      target: options.target,
    });
  } catch (error) {
    throw asCliError(context, contextTitle(request.context), error);
  }
}

function asCliError({ signal }: CliContext, title: string, error: unknown): CliError {
  signal.throwIfAborted();
  const [message = '', ...help] = failureLines(
    title,
    failureOfRun(error, () => undefined),
  );
  return new CliError(message, help, { cause: error });
}

/** @throws errors from core, not yet worded for users. */
async function finish({ context, of, options, progress }: Saving, before: KnownExport): Promise<Saved> {
  const { signal } = context;
  const preparing = `The service prepares ${contextTitle(before.context)}`;
  progress.show(preparing);
  const known =
    before.status === 'accepted'
      ? await followExport(of, before, {
          signal,
          tell: (note) => progress.show(note ?? preparing),
          givesUp: (error, failures) =>
            error instanceof AuthError || error instanceof ContractError || failures >= failuresMax,
        })
      : before;
  const bytes = await saveExport(of.client, known, options.target, {
    store: of.store,
    // Interrupting never discards the partial file: the same command resumes it.
    signal: new AbortController().signal,
    closing: signal,
    onPause: (ms) => progress.show(pauseWords(ms)),
    onProgress: ({ bytes: done, totalBytes, interruptions }) => {
      const size = totalBytes === undefined ? sizeText(done) : `${sizeText(done)} of ${sizeText(totalBytes)}`;
      progress.show(interruptions > 0 ? `${size}, connection lost, resuming` : size);
    },
  });
  await keepAsSaved(of.store, known, options.target);
  return { known, bytes };
}

/** Adds the partial file's location and resume steps to a failure. */
async function inWords({ context, of, options }: Saving, known: KnownExport, error: unknown): Promise<Error> {
  const explained = explainExport(error, known);
  if (explained?.isOver === true) {
    await leaveUnfinished(of.store, { connectionKey: known.connectionKey, target: options.target });
    return new CliError(explained.message, [], { cause: error });
  }
  const left = await rest(of, known);
  if (context.signal.aborted) return new InterruptedError(left);
  const [message = '', ...help] =
    explained === undefined
      ? failureLines(
          contextTitle(known.context),
          failureOfRun(error, () => undefined),
        )
      : [explained.message];
  return new CliError(message, [...help, ...left], { cause: error });
}

async function rest({ store }: ExportsOf, known: KnownExport): Promise<readonly string[]> {
  const kept = await store.find(known);
  const state = kept === undefined ? undefined : await partStateOf(store, kept);
  const what =
    state === undefined ? 'The service keeps the export.' : `The partial file is kept: ${partWords(state)}.`;
  return [what, 'To continue, run the same command again.'];
}
