/** Applies each quick fix and refactoring that is offered in random queries, and asks PostgreSQL what became of them. */
import type { PGlite } from '@electric-sql/pglite';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextEdit } from 'vscode-languageserver-types';
import { codeActions, type CodeActionDeps } from '#server/handlers/code-actions.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { readParameters } from '#server/language/checks/parameters/parameters.ts';
import { readDirectives } from '#server/language/text/directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { createState } from '#server/state.ts';
import { judge, queryCatalogue, writeQuery, type Judged } from './edited-queries.ts';
import { writeMistake, type Mistake } from './mistaken-queries.ts';

export interface FixReport {
  queries: number;
  applied: number;
  /** Mistakes that no fix mended. */
  unmended: number;
  readonly faults: { readonly before: string; readonly after: string; readonly why: string }[];
}

interface Offered {
  readonly title: string;
  readonly text: string;
  readonly isPreferred: boolean;
  readonly isRewrite: boolean;
}

const uri = 'file:///a.identity.sql';

/** Returns the code actions at a position, with the text that each leads to. */
async function offeredAt(
  deps: CodeActionDeps,
  sql: string,
  start: number,
  end = start,
): Promise<readonly Offered[]> {
  const document = TextDocument.create(uri, 'identity-sql', 1, sql);
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const actions = (await codeActions(deps, document, range, undefined, () => false)) ?? [];
  return actions.flatMap(({ title, edit, kind = '', isPreferred = false }): readonly Offered[] => {
    const edits: readonly TextEdit[] | undefined = edit?.changes?.[uri];
    if (edits === undefined) return [];
    return [
      {
        title,
        text: TextDocument.applyEdits(document, [...edits]),
        isPreferred,
        isRewrite: kind.startsWith('refactor'),
      },
    ];
  });
}

/** Runs a text with the defaults of its parameters. */
async function judgeText(database: PGlite, text: string): Promise<Judged | { readonly refusal: string }> {
  const lexed = lex(text);
  const values = readParameters(readDirectives(lexed)).flatMap(({ name, defaultValue }) =>
    defaultValue === undefined ? [] : [{ name, defaultValue }],
  );
  const { code } = lexed;
  let sql = text;
  for (let index = code.length - 1; index >= 0; index--) {
    if (code.kind(index) !== TokenKind.placeholder) continue;
    const number = values.findIndex(({ name }) => name === code.textOf(index).slice(1)) + 1;
    // A slice such as a[b:c] only looks like a parameter.
    if (number > 0 && !isInSlice(code, index))
      sql = `${sql.slice(0, code.start(index))}$${number}${sql.slice(code.end(index))}`;
  }
  return judge(
    database,
    sql,
    values.map(({ defaultValue }) => defaultValue),
  );
}

const isInSlice = (code: TokenList, index: number): boolean =>
  code.is(index + 1, ']') && !code.is(index - 1, '[');

const isSame = (one: Judged, other: Judged): boolean => one.rows === other.rows;

/** Edits that change only comments, or that wait for a person to choose a type. */
const isKept = (title: string): boolean => /^Ignore |^Declare /.test(title);

class FixJudge {
  readonly #database: PGlite;
  readonly #parser = new ServerParser();
  readonly #deps: CodeActionDeps;
  readonly report: FixReport = { queries: 0, applied: 0, unmended: 0, faults: [] };

  constructor(database: PGlite) {
    this.#database = database;
    const state = createState();
    state.catalogues.set('', queryCatalogue);
    state.documentModels.set(uri, 'public');
    this.#deps = { analyser: new Analyser(this.#parser), state, canReport: false };
  }

  dispose(): Promise<void> {
    return this.#parser.dispose();
  }

  /** Each fix must mean what the mistake meant, or keep what the query meant before. */
  async mistake({ wrong, right }: Mistake): Promise<void> {
    const meant = await judge(this.#database, right);
    if ('refusal' in meant) return;
    this.report.queries++;
    const before = await judge(this.#database, wrong);
    const fixes = (await offeredAt(this.#deps, wrong, 0, wrong.length)).filter(
      ({ title, isRewrite }) => !isRewrite && !isKept(title),
    );
    let isMended = false;
    for (const { text, title } of fixes) {
      this.report.applied++;
      const mended = await this.#mendAll(text);
      const after = await judge(this.#database, mended);
      const isLike = (one: Judged): boolean => !('refusal' in after) && isSame(one, after);
      isMended ||= isLike(meant);
      const why =
        'refusal' in after
          ? after.refusal
          : isLike(meant) || (!('refusal' in before) && isLike(before))
            ? undefined
            : `other rows than ${right}`;
      if (why !== undefined)
        this.report.faults.push({ before: wrong, after: mended, why: `${title}: ${why}` });
    }
    if (!isMended) this.report.unmended++;
  }

  /** Applies the preferred fixes of further findings, since a query may have one mistake twice. */
  async #mendAll(text: string): Promise<string> {
    let mended = text;
    for (let round = 0; round < 3; round++) {
      if (!('refusal' in (await judge(this.#database, mended)))) return mended;
      const next = (await offeredAt(this.#deps, mended, 0, mended.length)).find(
        ({ isPreferred }) => isPreferred,
      );
      if (next === undefined) return mended;
      mended = next.text;
    }
    return mended;
  }

  /** Each refactoring at one of the tokens must keep the rows, the names and the types. */
  async refactorings(sql: string, tokens: readonly number[]): Promise<void> {
    const before = await judge(this.#database, sql);
    if ('refusal' in before) return;
    this.report.queries++;
    const { code } = lex(sql);
    const seen = new Set<string>();
    for (const token of tokens) {
      for (const { title, text } of await offeredAt(this.#deps, sql, code.start(token))) {
        if (seen.has(text) || isKept(title)) continue;
        seen.add(text);
        this.report.applied++;
        const why = differenceOf(before, await judgeText(this.#database, text));
        if (why !== undefined) this.report.faults.push({ before: sql, after: text, why: `${title}: ${why}` });
      }
    }
  }
}

function differenceOf(before: Judged, after: Judged | { readonly refusal: string }): string | undefined {
  if ('refusal' in after) return after.refusal;
  if (!isSame(after, before)) return 'other rows';
  if (after.names.join() !== before.names.join()) return 'other names';
  return after.types.join() === before.types.join() ? undefined : 'other types';
}

export async function judgeFixes(
  database: PGlite,
  random: (below: number) => number,
  wanted: number,
): Promise<FixReport> {
  const judging = new FixJudge(database);
  while (judging.report.applied < wanted) {
    if (random(2) === 0) {
      await judging.mistake(writeMistake(random));
      continue;
    }
    const sql = writeQuery(random);
    const { length } = lex(sql).code;
    const tokens: number[] = [];
    for (let token = random(5); token < length; token += 1 + random(9)) tokens.push(token);
    await judging.refactorings(sql, tokens);
  }
  await judging.dispose();
  return judging.report;
}

/** Applies every refactoring at every token of the queries. */
export async function judgeRefactorings(database: PGlite, queries: readonly string[]): Promise<FixReport> {
  const judging = new FixJudge(database);
  for (const sql of queries) {
    await judging.refactorings(
      sql,
      Array.from({ length: lex(sql).code.length }, (_, token) => token),
    );
  }
  await judging.dispose();
  return judging.report;
}
