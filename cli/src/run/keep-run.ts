/** Keeps the rows of a run whose query says `-- @keep`, while they are written to their target. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { dataFolder } from '#base/files/data-folder.ts';
import { diskWords } from '#base/files/disk-messages.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { sizeText } from '#base/words/size-text.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import {
  KeepRuleError,
  keepRuleOf,
  readOrigins,
  sensitiveNames,
  sensitiveWords,
} from '#core/kept-runs/keep-rule.ts';
import {
  enteredParameters,
  keptRunLimits,
  KeptRunsStore,
  NotKeptError,
  type KeptQuery,
} from '#core/kept-runs/kept-runs-store.ts';
import { nothingKnown, type OriginColumns } from '#core/policy/masking/relations.ts';
import { packingOf } from '#core/rows/chunk.ts';
import { KeptRowsFile } from '#core/rows/files/kept-rows.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import { packed } from '#core/rows/page-rows.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import type { KeepRule } from '#server/language/text/keep-directive.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import type { Service } from '../service.ts';
import { unwritableData } from './data-messages.ts';
import type { PreparedQuery } from './execute.ts';
import type { QueryOfSource } from './read-query.ts';
import type { FinishingTarget } from './rows-target.ts';
import type { RunResult } from './write-rows.ts';

/** @returns undefined if the query keeps nothing. @throws CliError if its `@keep` cannot be followed. */
export function keepOf({ text, title }: Pick<QueryOfSource, 'text' | 'title'>): KeepRule | undefined {
  try {
    return keepRuleOf(text);
  } catch (error) {
    if (error instanceof KeepRuleError) throw new CliError(`${title} was not sent: ${error.message}`);
    throw error;
  }
}

/** Returns what identifies a query among the kept ones; undefined for one that has no name. */
export function keptQueryOf(
  { cwd }: Pick<CliContext, 'cwd'>,
  { profile }: Pick<Service, 'profile'>,
  { saved, file }: Pick<QueryOfSource, 'saved' | 'file'>,
): KeptQuery | undefined {
  const connectionKey = connectionKeyOf(profile);
  if (saved !== undefined) return { connectionKey, query: { saved: saved.query_id } };
  if (file === undefined || file === '-') return undefined;
  return { connectionKey, query: { file: path.resolve(cwd, file) } };
}

export function keptRunsOf({ environment }: Pick<CliContext, 'environment'>): KeptRunsStore {
  return new KeptRunsStore(dataFolder(environment));
}

export interface KeptRunOptions {
  readonly service: Service;
  readonly query: QueryOfSource;
  readonly prepared: PreparedQuery;
  readonly rule: KeepRule;
}

export async function openKeeper(context: CliContext, run: KeptRunOptions): Promise<RunKeeper> {
  const keeper = new RunKeeper(context, run);
  await keeper.prepare();
  return keeper;
}

/** Writes the rows of a run to a target, and keeps them if there is a keeper. */
export async function keptWith(
  keeper: RunKeeper | undefined,
  target: FinishingTarget,
  send: (target: FinishingTarget) => Promise<RunResult>,
): Promise<RunResult> {
  if (keeper === undefined) return await send(target);
  try {
    const result = await send(keeper.beside(target));
    await keeper.finish(result);
    return result;
  } finally {
    await keeper.close();
  }
}

interface OpenRows {
  readonly file: KeptRowsFile;
  readonly draft: string;
}

/** A run whose rows are kept, if nothing is in the way. What is in the way is told, and never stops the run. */
class RunKeeper {
  readonly #context: CliContext;
  readonly #run: KeptRunOptions;
  readonly #store: KeptRunsStore;
  readonly #kept: KeptQuery | undefined;
  #expected: OriginColumns = nothingKnown;
  #columns: readonly StoreColumn[] = [];
  #rows: OpenRows | undefined;
  #problem: string | undefined;

  constructor(context: CliContext, run: KeptRunOptions) {
    this.#context = context;
    this.#run = run;
    this.#store = keptRunsOf(context);
    this.#kept = keptQueryOf(context, run.service, run.query);
  }

  /** Reads what decides whether the rows may be kept. */
  async prepare(): Promise<void> {
    const { rule, service, prepared } = this.#run;
    if (this.#kept === undefined) this.#problem = 'a query from standard input has no name.';
    if (rule.withSensitive || this.#problem !== undefined) return;
    this.#expected = await readOrigins(
      service.client,
      { text: prepared.statement.text, model: prepared.model },
      { patterns: service.profile.sensitiveColumns ?? [], signal: this.#context.signal },
    );
  }

  /** Returns a target that also keeps the rows. */
  beside(target: FinishingTarget): FinishingTarget {
    return {
      ...target,
      open: async (columns) => {
        await this.#safely(() => this.#open(columns));
        await target.open(columns);
      },
      grow: async (more) => {
        if (this.#rows !== undefined) this.#problem ??= 'a later page has further columns.';
        await target.grow(more);
      },
      write: async (rows) => {
        // First, since the target gives away the memory of the rows.
        await this.#safely(() => this.#write(rows));
        await target.write(rows);
      },
    };
  }

  /** Keeps what was written, if these are all rows, and tells what became of it. */
  async finish({ isComplete, rowCount }: RunResult): Promise<void> {
    const { query, prepared, rule, service } = this.#run;
    if (!isComplete) this.#problem ??= 'these are not all of its rows.';
    await this.#safely(async () => {
      if (this.#kept === undefined || this.#problem !== undefined) return;
      // A result without a page has no file yet.
      const rows = this.#rows ?? (await this.#open(this.#columns));
      if (rows === undefined) return;
      await rows.file.finish();
      await this.#store.add(this.#kept, {
        at: Date.now(),
        title: query.saved?.name ?? query.title,
        version: query.saved?.version,
        connection: service.profile.name,
        rowCount,
        statement: prepared.statement.text,
        parameters: enteredParameters(prepared.fields),
        draft: rows.draft,
        runs: rule.runs,
      });
    });
    await this.close();
    if (this.#problem !== undefined)
      await write(this.#context.stderr, `${forTerminal(`The result was not kept: ${this.#problem}`)}\n`);
  }

  /** Removes what is incomplete. */
  async close(): Promise<void> {
    const rows = this.#rows;
    this.#rows = undefined;
    await rows?.file.close();
    if (rows !== undefined) await rm(rows.draft, { force: true });
  }

  async #open(columns: readonly StoreColumn[]): Promise<OpenRows | undefined> {
    this.#columns = columns;
    if (this.#kept === undefined || this.#problem !== undefined) return undefined;
    const { rule } = this.#run;
    const sensitive = rule.withSensitive
      ? []
      : sensitiveNames(
          this.#expected,
          columns.map(({ name }) => name),
        );
    this.#problem = sensitiveWords(rule, sensitive);
    if (this.#problem !== undefined) return undefined;
    const draft = await this.#store.draftFor(this.#kept);
    this.#rows = { draft, file: await KeptRowsFile.create(draft, columns) };
    return this.#rows;
  }

  async #write(rows: PageRows): Promise<void> {
    if (this.#rows === undefined || this.#problem !== undefined) return;
    const { file } = this.#rows;
    await file.write(packed(rows, packingOf(this.#columns)));
    if (file.sizeBytes > keptRunLimits.runBytes) throw new NotKeptError('run-bytes');
  }

  async #safely(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const words = diskWords(error);
      if (error instanceof NotKeptError) this.#problem ??= `${limitWords[error.reason](this.#store.folder)}.`;
      else if (words !== undefined) this.#problem ??= unwritableData(this.#store.folder, words);
      else throw error;
    }
  }
}

const limitWords: Readonly<Record<NotKeptError['reason'], (folder: string) => string>> = {
  'run-bytes': () => `it is larger than ${sizeText(keptRunLimits.runBytes)}`,
  bytes: (folder) =>
    `the kept results of all queries have ${sizeText(keptRunLimits.bytes)}, the limit. Keep fewer runs, or delete what you need no longer in ${folder}`,
};
