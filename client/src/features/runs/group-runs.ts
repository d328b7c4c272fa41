/** Runs several statements in a document, or one statement with several value sets, each in its own tab. */
import * as vscode from 'vscode';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ValueSet } from '#core/parameters/memory.ts';
import type { Result } from '../results/index.ts';
import type { ParameterQuestion } from './parameters/parameter-question.ts';
import type { RunController, RunDependencies } from './run-controller.ts';
import { prepareRun, type Prepared } from './sending/prepared-run.ts';

/** Maximum number of tabs to open at once. */
const runsMax = 30;

export class GroupRuns {
  readonly #deps: RunDependencies;
  readonly #controllerOf: (result: Result) => RunController;
  /** The tabs of each document's last group, reused by its next group. */
  readonly #groups = new Map<string, readonly Result[]>();
  /** Results of statements, in contrast to those of value sets. */
  readonly #ofStatements = new WeakSet<Result>();

  constructor(deps: RunDependencies, controllerOf: (result: Result) => RunController) {
    this.#deps = deps;
    this.#controllerOf = controllerOf;
  }

  /** @throws ExpectedError if there is nothing to run, or if there are too many runs. */
  async runAll(document: vscode.TextDocument): Promise<void> {
    const answer = await this.#deps.statements(document);
    if (answer === undefined) {
      throw new ExpectedError(
        vscode.l10n.t('The checks did not respond, so these statements could not be verified.'),
      );
    }
    const { statements } = answer;
    if (statements.length === 0)
      throw new ExpectedError(vscode.l10n.t('There is no statement here. Write a query, then run it.'));
    if (statements.length > runsMax) {
      throw new ExpectedError(
        vscode.l10n.t(
          'This document contains {0} statements; at most {1} can be run at a time. Select some of them.',
          statements.length,
          runsMax,
        ),
      );
    }
    // The form offers the values that this connection remembers.
    await this.#deps.session.ready();
    const isPart = statements.length > 1;
    const several = statements.map((statement, index) =>
      prepareRun(this.#deps, {
        document,
        statement,
        isPart,
        part: isPart ? vscode.l10n.t('statement {0}', index + 1) : undefined,
      }),
    );
    this.#deps.problems.clear(document.uri);
    const controllers = await this.#open(document, several);
    for (const result of this.#groups.get(document.uri.toString()) ?? []) this.#ofStatements.add(result);
    const { questionFor } = await import('./question-for.ts');
    const question = await questionFor(this.#deps, several);
    const [first] = controllers;
    const [firstPrepared] = several;
    if (first === undefined || firstPrepared === undefined) return;
    const startAll = ({ fields }: ParameterQuestion) => {
      this.#closeOutdated(document);
      for (const [index, prepared] of several.entries()) {
        const values = Object.fromEntries(
          fields.map(({ name, text, isNull, isEmpty }) => [name, { text, isNull, isEmpty }]),
        );
        controllers[index]?.startPrepared(prepared, { values });
      }
    };
    if (question.fields.length === 0) startAll(question);
    else first.ask(firstPrepared, question, startAll);
  }

  async runWithSets(
    document: vscode.TextDocument,
    found: {
      readonly statement: Prepared['statement'];
      readonly isPart: boolean;
      readonly sets: readonly ValueSet[];
    },
  ): Promise<void> {
    const { statement, isPart, sets } = found;
    const several = sets.map((set) =>
      prepareRun(this.#deps, { document, statement, isPart, part: set.name }),
    );
    this.#deps.problems.clear(document.uri);
    const controllers = await this.#open(document, several);
    for (const [index, prepared] of several.entries())
      controllers[index]?.startPrepared(prepared, { values: sets[index]?.values ?? {} });
  }

  /** Opens one tab per run in the same panel, reusing the document's last group. The first tab is shown. */
  async #open(document: vscode.TextDocument, several: readonly Prepared[]): Promise<RunController[]> {
    const { results } = this.#deps;
    const key = document.uri.toString();
    const isUsable = (result: Result) => results.results.includes(result) && !result.isPinned;
    const known = (this.#groups.get(key) ?? []).filter(isUsable);
    const own = results.results.filter(
      (result) => result.key === key && isUsable(result) && !known.includes(result),
    );
    const reused = [...own, ...known];
    const group = several.map(
      ({ header }, index) => reused[index] ?? results.resultFor(key, header, { isNew: true }),
    );
    this.#groups.set(key, group);
    // Tabs appear in the order in which they are revealed; reveal the first one again to show it.
    for (const result of [...group, ...group.slice(0, 1)]) await results.reveal(result);
    return group.map(this.#controllerOf);
  }

  /** Closes the results of an earlier text with more statements, which look as if they belonged to this run. */
  #closeOutdated(document: vscode.TextDocument): void {
    const { results } = this.#deps;
    const key = document.uri.toString();
    const group = this.#groups.get(key) ?? [];
    const outdated = results.results.filter(
      (result) =>
        result.key === key && !result.isPinned && this.#ofStatements.has(result) && !group.includes(result),
    );
    for (const result of outdated) results.close(result);
  }

  forget(key: string): void {
    this.#groups.delete(key);
  }
}
