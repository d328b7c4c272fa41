/**
 * `check --jsonl`: reads one query per line and prints one result per line, in the same order. Each `sql` is checked as
 * a saved query. An invalid line gets `error` in place of findings and affects the exit code. An unknown member is
 * reported once on standard error: it may be a typo or the caller's own data. The command's models and model apply to
 * lines without their own.
 */
import { readLines } from '#base/async/read-lines.ts';
import { openNamed } from '#base/files/bounded-file.ts';
import { forTerminal, jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import type { Analyser } from '#server/language/checks/analyser.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { parseModels, type NoteMember } from '#server/models/parse-models.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { noteMembers } from './models/note-members.ts';
import { exitCodes, write, type Streams } from './output.ts';
import { hasErrors, report } from './report.ts';
import { failureWords, textBytesMax } from './text-file.ts';

/** Maximum number of concurrent lines: enough to keep the parser busy, few enough to bound memory. */
const windowSize = 32;

const modelShape = '{ "name", "tables"?: [{ "name", "columns"?: [{ "name", "type"?, "nullable"? }] }] }';

const lineMembers = new Set(['id', 'sql', 'model', 'models']);

interface Query {
  readonly id: unknown;
  readonly sql: string;
  readonly model?: string;
  readonly catalogue?: Catalogue;
}

/** The models and the model of a line without its own. */
export type LineDefaults = Pick<Query, 'model' | 'catalogue'>;

interface Answer {
  readonly line: string;
  readonly exitCode: number;
}

export async function checkJsonl(
  analyser: Pick<Analyser, 'analyse'>,
  files: readonly string[],
  { stdin, stdout, stderr }: Streams,
  defaults: LineDefaults = {},
): Promise<number> {
  let exitCode: number = exitCodes.clean;
  const underWay: Promise<void>[] = [];
  const note = noteMembers(stderr);
  /** Prints a result as soon as those for all earlier lines are printed. */
  const answerInTurn = async (
    answering: Promise<Answer>,
    previous: Promise<void> | undefined,
  ): Promise<void> => {
    const answer = await answering;
    await previous;
    exitCode = Math.max(exitCode, answer.exitCode);
    await write(stdout, `${jsonForTerminal(answer.line)}\n`);
  };
  const inputs = files.length === 0 ? ['-'] : files;
  for (const input of inputs) {
    try {
      let lineNumber = 0;
      for await (const line of linesOf(input, stdin)) {
        lineNumber++;
        if (line.trim() !== '') {
          underWay.push(
            answerInTurn(answerLine(analyser, line, { lineNumber, note, defaults }), underWay.at(-1)),
          );
        }
        if (underWay.length >= windowSize) await underWay.shift();
      }
    } catch (error) {
      const said = `${input} cannot be read: ${failureWords(error)}.`;
      await write(stderr, `identity-queries: ${forTerminal(said)}\n`);
      exitCode = exitCodes.badInput;
    }
  }
  await Promise.all(underWay);
  return exitCode;
}

async function* linesOf(input: string, stdin: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const stream = input === '-' ? stdin : (await openNamed(input)).createReadStream();
  yield* readLines(stream, { charactersMax: textBytesMax });
}

async function answerLine(
  analyser: Pick<Analyser, 'analyse'>,
  line: string,
  {
    lineNumber,
    note,
    defaults,
  }: { readonly lineNumber: number; readonly note: NoteMember; readonly defaults: LineDefaults },
): Promise<Answer> {
  const query = parseQuery(line, note, defaults);
  if ('problem' in query) {
    const answer = { id: query.id ?? null, error: `line ${lineNumber}: ${query.problem}`, diagnostics: [] };
    return { line: JSON.stringify(answer), exitCode: exitCodes.badInput };
  }
  const { sql, id, ...known } = query;
  const findings = (await analyser.analyse(sql, { isSavedQuery: true, ...known }))?.findings ?? [];
  return {
    line: JSON.stringify({ id, diagnostics: report(sql, findings) }),
    exitCode: hasErrors(findings) ? exitCodes.errorsFound : exitCodes.clean,
  };
}

function parseQuery(
  line: string,
  note: NoteMember,
  defaults: LineDefaults,
): Query | { readonly id?: unknown; readonly problem: string } {
  const value = parsedJson(line);
  if (value === undefined) return { problem: 'this is not JSON.' };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'expected an object { "id", "sql" }.' };
  const id = 'id' in value ? value.id : undefined;
  if (id === undefined) return { problem: '"id" is missing.' };
  if (!('sql' in value) || typeof value.sql !== 'string') return { id, problem: '"sql" must be a string.' };
  for (const member of Object.keys(value)) if (!lineMembers.has(member)) note(member);
  const models = 'models' in value ? parseModels(value.models, note) : undefined;
  if (models === null) return { id, problem: `"models" must be a list of names, or of ${modelShape}.` };
  const model = 'model' in value ? parseModel(value.model, note) : undefined;
  if (model === null) return { id, problem: `"model" must be a name, or ${modelShape}.` };
  const known = withModel(models ?? defaults.catalogue?.models, model);
  const name = model?.name ?? defaults.model;
  return {
    id,
    sql: value.sql,
    ...(name === undefined ? {} : { model: name }),
    ...(known === undefined ? {} : { catalogue: { models: known } }),
  };
}

/** Returns undefined if the model is omitted, and null if it is neither a name nor a model. */
function parseModel(value: unknown, note: NoteMember): CatalogueModel | null | undefined {
  return value === undefined || value === null ? undefined : (parseModels([value], note)?.[0] ?? null);
}

/** A model with its own tables takes precedence over the list. */
function withModel(
  models: Catalogue['models'] | undefined,
  model: CatalogueModel | undefined,
): Catalogue['models'] | undefined {
  if (model?.tables === undefined) return models;
  return [model, ...(models ?? []).filter(({ name }) => name !== model.name)];
}
