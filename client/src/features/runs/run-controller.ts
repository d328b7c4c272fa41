/**
 * From a key press to rows: picks the statement, has it checked, asks for parameters, runs it, and puts errors where
 * they belong. One of these per result, for as long as the result is there.
 */
import * as vscode from 'vscode';
import { limits } from '../../../../api/contract/limits.ts';
import type { ExecuteRequest } from '../../../../api/contract/execute.ts';
import type { StatementInfo, StatementsResult } from '../../../../server/src/protocol.ts';
import { commands, settings, settingsSection } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import type { Logger } from '../../util/logger.ts';
import type {
  ParameterField,
  Result,
  ResultsFeature,
  ResultWriter,
  RunFailure,
  RunHeader,
} from '../results/index.ts';
import { chooseStatement } from './choose-statement.ts';
import { parameterDeclarations } from './parameters/declarations.ts';
import { parameterFields, readForm, type Entered } from './parameters/form.ts';
import type { ParameterMemory } from './parameters/memory.ts';
import { problemWords } from './parameters/problem-words.ts';
import { QueryRun } from './query-run.ts';
import { explainFailure } from './run-failure.ts';
import type { RunProblems } from './run-problems.ts';
import { positionInDocument } from './source-positions.ts';

export interface RunDescription {
  readonly title: string;
  readonly savedQuery?: { readonly id: string; readonly name: string; readonly version: number } | undefined;
}

export interface RunDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  readonly memory: ParameterMemory;
  readonly problems: RunProblems;
  readonly statements: (
    document: vscode.TextDocument,
    range?: vscode.Range,
  ) => Promise<StatementsResult | undefined>;
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly describe: (document: vscode.TextDocument) => RunDescription;
  /** Shows for a moment which part of the document is run. */
  readonly flash: (document: vscode.TextDocument, range: vscode.Range) => void;
}

/** What is about to be sent, fixed when the run was asked for: later edits do not change it. Where to is not. */
interface Prepared {
  readonly document: vscode.TextDocument;
  readonly statement: StatementInfo;
  readonly declarationsText: string;
  readonly header: RunHeader;
  readonly model: string;
  /** Under which the parameter values are remembered. */
  readonly memoryKey: string;
}

export class RunController {
  readonly #deps: RunDependencies;
  readonly #result: Result;
  #document: vscode.TextDocument;
  #selection: vscode.Selection;
  #writer: ResultWriter | undefined;
  #prepared: Prepared | undefined;
  #fields: readonly ParameterField[] = [];
  #run: QueryRun | undefined;
  #failure: RunFailure | undefined;

  constructor(
    deps: RunDependencies,
    result: Result,
    document: vscode.TextDocument,
    selection: vscode.Selection,
  ) {
    this.#deps = deps;
    this.#result = result;
    this.#document = document;
    this.#selection = selection;
  }

  /** Runs what the editor points at now. */
  async start(document: vscode.TextDocument, selection: vscode.Selection): Promise<void> {
    this.#document = document;
    this.#selection = selection;
    const { results, describe } = this.#deps;
    this.#run?.cancel();
    this.#prepared = undefined;
    this.#deps.problems.clear(document.uri);
    const header: RunHeader = { ...headerOf(describe(document), document), parameters: [] };
    const writer = this.#begin(header);
    await results.reveal(this.#result);
    const range = selection.isEmpty ? undefined : selection;
    const answer = await this.#deps.statements(document, range).catch((error: unknown) => {
      this.#deps.log.warn(`checks did not answer: ${error instanceof Error ? error.name : 'error'}`);
      return undefined;
    });
    if (!writer.isCurrent) return;
    if (answer === undefined) {
      const message = vscode.l10n.t(
        'The checks did not answer, so it is not known what this statement does.',
      );
      this.#fail(writer, {
        message,
        reasons: [],
        nextStep: { title: vscode.l10n.t('Show Log'), command: commands.logShow },
      });
      return;
    }
    const choice = chooseStatement(answer.statements, {
      cursor: selection.active,
      isSelection: !selection.isEmpty,
    });
    if (choice.kind !== 'chosen') {
      const message =
        choice.kind === 'none'
          ? vscode.l10n.t('There is no statement here. Write a query, then run it.')
          : vscode.l10n.t(
              'The selection holds {0} statements. Select one, or put the cursor into it.',
              choice.count,
            );
      this.#fail(writer, { message, reasons: [] });
      return;
    }
    this.#prepare(writer, { document, header, answer, statement: choice.statement });
  }

  #begin(header: RunHeader): ResultWriter {
    const writer = this.#result.begin(header, {
      cancel: () => this.#cancel(),
      runAgain: () => void this.#runAgain(),
      runAnyway: () => this.#askParameters(),
      editParameters: () => this.#editParameters(),
      submit: (values) => this.#submit(values),
      load: (all) => void this.#run?.load(all),
      goToError: () => void this.#goToError(),
      goToQuery: () => void this.#goToQuery(),
      openProofSetting: () => void openSetting(settings.runRequireReadOnlyProof),
      nextStep: () => void this.#nextStep(),
      step: () => undefined, // a run's header has none
    });
    this.#writer = writer;
    this.#failure = undefined;
    return writer;
  }

  #prepare(
    writer: ResultWriter,
    found: {
      readonly document: vscode.TextDocument;
      readonly header: RunHeader;
      readonly answer: StatementsResult;
      readonly statement: StatementInfo;
    },
  ): void {
    const { document, statement, answer } = found;
    const { state } = this.#deps.session;
    const range = rangeOf(statement);
    const isPart = answer.statements.length > 1 || !this.#selection.isEmpty;
    const model = this.#deps.modelOf(document);
    const header: RunHeader = {
      ...found.header,
      model,
      ...(state.kind === 'connected'
        ? {
            connection: state.profile.name,
            environment: state.profile.environment,
            isProtected: state.profile.protected,
          }
        : {}),
      ...(isPart ? { lines: { first: range.start.line + 1, last: range.end.line + 1 } } : {}),
    };
    const memoryKey = this.#deps.describe(document).savedQuery?.id ?? document.uri.toString();
    this.#prepared = { document, statement, declarationsText: document.getText(), header, model, memoryKey };
    this.#fields = [];
    writer.setHeader(header);
    if (isPart) this.#deps.flash(document, range);
    if (state.kind !== 'connected') {
      this.#disconnected(writer);
      return;
    }
    this.#judge(writer, statement);
  }

  /** Nothing is sent that is not proven to only read, unless the person says so. */
  #judge(writer: ResultWriter, statement: StatementInfo): void {
    const [finding] = statement.errors;
    const position = finding?.range.start;
    const failureOf = (message: string): RunFailure => ({
      message: textOf(finding?.message) ?? message,
      code: typeof finding?.code === 'string' ? finding.code : undefined,
      reasons: [],
      place: position === undefined ? undefined : { line: position.line + 1, column: position.character + 1 },
    });
    switch (statement.verdict) {
      case 'read-only':
        this.#askParameters();
        return;
      case 'not-read-only':
        if (!isProofRequired()) {
          this.#askParameters();
          return;
        }
        this.#failure = failureOf(
          vscode.l10n.t('This statement may change data. Only a statement that reads is sent.'),
        );
        writer.set({ kind: 'refused', failure: this.#failure });
        return;
      case 'syntax-error':
        this.#failure = failureOf(vscode.l10n.t('PostgreSQL would not understand this statement.'));
        writer.set({ kind: 'question', reason: 'syntax-error', failure: this.#failure });
        return;
      case 'unverified':
        this.#failure = failureOf(
          vscode.l10n.t('The checks could not finish, so it is not proven that this only reads.'),
        );
        writer.set({ kind: 'question', reason: 'unverified', failure: this.#failure });
        return;
      default:
        statement.verdict satisfies never;
    }
  }

  #askParameters(): void {
    const prepared = this.#prepared;
    if (prepared === undefined || this.#writer === undefined) return;
    if (this.#fields.length === 0) {
      this.#fields = parameterFields(
        prepared.statement,
        parameterDeclarations(prepared.declarationsText),
        (name) => this.#deps.memory.recent(prepared.memoryKey, name),
      );
    }
    if (this.#fields.length === 0) {
      void this.#execute({}, []);
      return;
    }
    this.#writer.set({ kind: 'parameters', fields: this.#fields });
    // Filling in is what comes next, wherever the run was started: the form gets the keyboard.
    void this.#deps.results.reveal(this.#result, { takeFocus: true });
  }

  #editParameters(): void {
    if (this.#prepared === undefined || this.#fields.length === 0) return;
    this.#run?.cancel();
    this.#begin(this.#prepared.header);
    this.#askParameters();
  }

  #submit(values: readonly Entered[]): void {
    const prepared = this.#prepared;
    if (prepared === undefined || this.#writer === undefined) return;
    const outcome = readForm(this.#fields, values, { now: new Date(), words: problemWords });
    this.#fields = outcome.fields;
    if (outcome.kind === 'invalid') {
      this.#writer.set({ kind: 'parameters', fields: outcome.fields });
      return;
    }
    void this.#deps.memory
      .remember(
        prepared.memoryKey,
        Object.fromEntries(values.map(({ name, text, isNull }) => [name, { text, isNull }])),
      )
      .catch((error: unknown) => {
        this.#deps.log.warn(
          `parameter values were not kept: ${error instanceof Error ? error.name : 'error'}`,
        );
      });
    void this.#execute(outcome.parameters, values);
  }

  async #execute(
    parameters: NonNullable<ExecuteRequest['parameters']>,
    values: readonly Entered[],
  ): Promise<void> {
    const prepared = this.#prepared;
    const writer = this.#writer;
    const { session, log, problems } = this.#deps;
    if (prepared === undefined || writer === undefined) return;
    if (session.state.kind !== 'connected') {
      this.#disconnected(writer);
      return;
    }
    const { client, profile } = session.state;
    // The connection is the one that is asked now, which may be another than when the query was first run.
    writer.setHeader({
      ...prepared.header,
      connection: profile.name,
      environment: profile.environment,
      isProtected: profile.protected,
      parameters: values,
    });
    const { document, statement } = prepared;
    const configuration = vscode.workspace.getConfiguration(settingsSection);
    const run = new QueryRun({
      execute: (request, options) => client.queries.execute(request, options),
      request: {
        query_string: statement.text,
        model: prepared.model,
        ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      },
      writer,
      pageSize: boundedSetting(
        configuration.get(settings.resultsPageSize),
        limits.executePageSizeDefault,
        limits.executePageSizeMax,
      ),
      rowLimit: boundedSetting(configuration.get(settings.resultsRowLimit), 1_000_000, 10_000_000),
      explain: (error) => {
        const failure = explainFailure(error, {
          locate: (position) => positionInDocument(statement.text, statement.range.start, position),
          translate: (message, ...args) => vscode.l10n.t(message, ...args),
        });
        if (failure.code === 'UNEXPECTED') log.error(`run failed unexpectedly: ${stackOf(error)}`);
        this.#failure = failure;
        if (writer.isCurrent) problems.report(document, failure, rangeOf(statement));
        return failure;
      },
    });
    this.#run = run;
    const outcome = await run.start();
    log.info(`run ${outcome.kind}: ${outcome.rowCount} rows of the first page, ${Math.round(outcome.ms)} ms`);
  }

  #cancel(): void {
    const { kind } = this.#result.state;
    if (this.#run?.isBusy === true) {
      this.#run.cancel();
    } else if (kind === 'parameters' || kind === 'checking') {
      // A new writer: whatever the checks still answer is dropped.
      if (this.#prepared !== undefined || kind === 'checking')
        this.#begin(this.#result.header).set({ kind: 'cancelled', elapsedMs: 0 });
    }
  }

  /** The same statement with the same values, even if the document has changed since. */
  async #runAgain(): Promise<void> {
    const prepared = this.#prepared;
    if (prepared === undefined) {
      await this.start(this.#document, this.#selection);
      return;
    }
    this.#run?.cancel();
    this.#deps.problems.clear(prepared.document.uri);
    const writer = this.#begin(prepared.header);
    if (this.#deps.session.state.kind !== 'connected') this.#disconnected(writer);
    else if (this.#fields.length === 0 || this.#fields.some((field) => field.problem !== undefined))
      this.#judge(writer, prepared.statement);
    else this.#submit(this.#fields);
  }

  #disconnected(writer: ResultWriter): void {
    try {
      this.#deps.session.requireClient();
    } catch (error) {
      const message = error instanceof Error ? error.message : vscode.l10n.t('Not connected.');
      const action = error instanceof ExpectedError ? error.actions[0] : undefined;
      this.#failure = { message, reasons: [], nextStep: action };
      writer.set({ kind: 'disconnected', message });
    }
  }

  #fail(writer: ResultWriter, failure: RunFailure): void {
    this.#failure = failure;
    writer.set({ kind: 'failed', failure, elapsedMs: 0 });
  }

  async #goToError(): Promise<void> {
    const place = this.#failure?.place;
    if (place === undefined) return;
    const at = new vscode.Position(place.line - 1, place.column - 1);
    await showDocument(this.#document, new vscode.Range(at, at));
  }

  async #goToQuery(): Promise<void> {
    const statement = this.#prepared?.statement;
    const start = statement === undefined ? undefined : rangeOf(statement).start;
    await showDocument(this.#document, start === undefined ? undefined : new vscode.Range(start, start));
  }

  async #nextStep(): Promise<void> {
    const step = this.#failure?.nextStep ?? { command: commands.connectionConnect };
    await vscode.commands.executeCommand(step.command);
  }
}

function headerOf(description: RunDescription, document: vscode.TextDocument): Omit<RunHeader, 'parameters'> {
  const { savedQuery } = description;
  return savedQuery === undefined
    ? { title: description.title }
    : { title: savedQuery.name, version: savedQuery.version, isModified: document.isDirty };
}

function rangeOf({ range }: StatementInfo): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

/** A finding's words; LSP allows marked-up ones, whose source reads well enough. */
function textOf(message: string | { readonly value: string } | undefined): string | undefined {
  return typeof message === 'object' ? message.value : message;
}

function isProofRequired(): boolean {
  return (
    vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.runRequireReadOnlyProof) !==
    false
  );
}

function boundedSetting(value: unknown, fallback: number, max: number): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), max) : fallback;
}

async function openSetting(setting: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${settingsSection}.${setting}`);
}

async function showDocument(
  document: vscode.TextDocument,
  selection: vscode.Range | undefined,
): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await vscode.window.showTextDocument(document, {
    ...(shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn }),
    ...(selection === undefined ? {} : { selection }),
  });
}

/** Frames without the message, which may quote SQL. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return [error.name, ...(error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))].join('\n');
}
