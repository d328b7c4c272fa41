/**
 * Controls a run from the key press to the rows: finds the statement, has it checked, asks for parameters, runs it, and
 * reports errors. One per result, for the result's lifetime.
 */
import * as vscode from 'vscode';
import type { ParameterValue } from '#api/contract/execute.ts';
import type { Logger } from '#base/logger.ts';
import { stackOf } from '#base/shown-text/stack-of.ts';
import { countedText } from '#base/words/counted-text.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';
import { failureWithStep, stepOf } from '#client/ui/read-failure.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import type { ParameterMemory, RememberedValue } from '#core/parameters/memory.ts';
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';
import { foreignHomeOf, type QueriesElsewhere } from '#core/policy/query-home.ts';
import type { Permit } from '#core/policy/send-query.ts';
import { isMissingName, unexpectedCode } from '#core/runs/explain-failure.ts';
import type { QueryRun } from '#core/runs/query-run.ts';
import type { RunFacts } from '#core/runs/run-facts.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import type { LanguageFeature } from '../language/index.ts';
import type { FormRequest, Result, ResultActions, ResultsFeature, ResultWriter } from '../results/index.ts';
import { findStatement } from './find-statement.ts';
import type { OfferedValues } from './parameters/offered-values.ts';
import type { ParameterQuestion } from './parameters/parameter-question.ts';
import { goToPlace, goToQuery, placeNow, returnTo, rewriteStatement } from './query-place.ts';
import type { RunProblems } from './run-problems.ts';
import { readRunSettings } from './run-settings.ts';
import type { RunTarget } from './run-target.ts';
import { flaggedCodes } from './sending/flagged-codes.ts';
import {
  elsewhereState,
  headerOf,
  heldState,
  type Prepared,
  type PrepareDependencies,
  prepareRun,
  rangeOf,
} from './sending/prepared-run.ts';
import { RunConsent, type ConsentDependencies } from './sending/run-consent.ts';
import { SentRun, type Locate } from './sending/sent-run.ts';

export interface RunDependencies extends PrepareDependencies, ConsentDependencies {
  readonly log: Logger;
  readonly results: ResultsFeature;
  readonly memory: ParameterMemory;
  readonly offered: OfferedValues;
  readonly problems: RunProblems;
  readonly elsewhere: QueriesElsewhere;
  readonly statements: LanguageFeature['statements'];
  /** Returns the known tables and columns of a model on the current connection. */
  readonly tablesOf: (model: string) => readonly CatalogueTable[];
  /** Called when the service lacks a name of a query, since the known models may be older than the database. */
  readonly missedName: () => void;
  /** Aborts when the extension ends. */
  readonly closing: AbortSignal;
  /** Briefly highlights the executed part of the document. */
  readonly flash: (document: vscode.TextDocument, range: vscode.Range) => void;
  /** Called when a sent run has ended. */
  readonly ended: (record: RunRecord) => void;
}

export interface StartOptions {
  /** Whether to show the form even if the settings would skip it. */
  readonly asks?: boolean | undefined;
  /** Values to use; the form is shown only if any is invalid. */
  readonly values?: Readonly<Record<string, RememberedValue>> | undefined;
  /** Whether the user chose the connection for this run, so that a query of another one is not held. */
  readonly isChosenHere?: boolean | undefined;
  /** Whether the person is in the rows, where the focus stays. */
  readonly isFromRows?: boolean | undefined;
}

/** How far a run has come. */
type Stage =
  | { readonly kind: 'preparing' }
  /** The form was shown and not submitted since, so that the input is not confirmed. */
  | { readonly kind: 'asking' }
  /** `goOn` continues when the user confirms the query. */
  | { readonly kind: 'held'; readonly failure: RunFailure; readonly goOn: () => void }
  | { readonly kind: 'unsent'; readonly failure: RunFailure }
  | {
      readonly kind: 'sent';
      readonly facts: RunFacts;
      readonly query?: QueryRun;
      readonly failure?: RunFailure;
    };

/** One run; a new run replaces all of it. */
interface CurrentRun {
  stage: Stage;
  target?: RunTarget | undefined;
  writer?: ResultWriter;
  prepared?: Prepared | undefined;
  question?: ParameterQuestion | undefined;
  /** The editor that a command came from: the form takes the focus from it, and gives it back. */
  readonly from?: vscode.TextEditor | undefined;
  /** Called once values are valid; if undefined, this result's run starts. */
  readonly answered?: Answered | undefined;
  readonly isChosenHere?: boolean | undefined;
}

const preparing: Stage = { kind: 'preparing' };

type Answered = (question: ParameterQuestion) => void;

export class RunController {
  readonly #deps: RunDependencies;
  readonly #result: Result;
  readonly #consent: RunConsent;
  #current: CurrentRun = { stage: preparing };
  /** The document that the draft was last saved as. */
  #followed: vscode.TextDocument | undefined;

  constructor(deps: RunDependencies, result: Result) {
    this.#deps = deps;
    this.#result = result;
    this.#consent = new RunConsent(deps);
  }

  /** Runs the statement at the cursor. */
  async start(
    document: vscode.TextDocument,
    selection: vscode.Selection,
    options: StartOptions = {},
  ): Promise<void> {
    const header = { ...headerOf(this.#deps.describe(document), document), parameters: [] };
    const { isChosenHere } = options;
    const from = options.isFromRows === true ? undefined : editorOf(document);
    const writer = this.#begin(header, { target: { document, selection }, isChosenHere, from });
    this.#deps.problems.clear(document.uri);
    await this.#deps.results.reveal(this.#result);
    const found = await findStatement(this.#deps, document, selection);
    if (!writer.isCurrent) return;
    if (found.kind === 'none') {
      this.#fail(writer, found.failure);
      return;
    }
    const { statement, isPart } = found;
    const prepared = prepareRun(this.#deps, { document, statement, isPart });
    if (isPart) this.#deps.flash(document, rangeOf(statement));
    this.#take(writer, prepared, options);
  }

  /** Runs a statement that the caller prepared: one of several statements or value sets. */
  startPrepared(prepared: Prepared, options: StartOptions = {}): void {
    this.#take(this.#begin(prepared.header, { from: editorOf(prepared.document) }), prepared, options);
  }

  /** Shows another caller's form in this result. */
  ask(prepared: Prepared, question: ParameterQuestion, answered: Answered): void {
    this.#begin(prepared.header, { prepared, question, answered, from: editorOf(prepared.document) });
    this.#showForm();
  }

  /**
   * Called when the draft has been saved as this document: later actions apply to it, and the result takes its name.
   */
  follow(document: vscode.TextDocument): void {
    const { savedQuery } = this.#deps.describe(document);
    if (savedQuery === undefined) return;
    this.#followed = document;
    const text = this.#current.prepared?.declarationsText ?? document.getText();
    this.#moveTo(document, savedQuery, !isSameText(text, document.getText()));
  }

  /** Called when the document has a new URI, since its query was renamed. The rows stay those of the version that ran. */
  noteRenamed(document: vscode.TextDocument): void {
    const { savedQuery } = this.#deps.describe(document);
    if (savedQuery === undefined) return;
    const { version = savedQuery.version, isModified } = this.#result.header;
    this.#moveTo(document, { ...savedQuery, version }, isModified);
  }

  /** Called when the query was renamed while its document is closed. */
  noteNewName({ uri, name }: { readonly uri: vscode.Uri; readonly name: string }): void {
    const current = this.#current;
    const { stage, prepared } = current;
    const before = factsOf(current)?.savedQuery;
    if (before !== undefined) current.stage = ofQuery(stage, { ...before, name });
    if (prepared?.savedQuery !== undefined)
      current.prepared = {
        ...prepared,
        savedQuery: { ...prepared.savedQuery, name },
        header: { ...prepared.header, title: name },
      };
    this.#result.follow(uri.toString(), { ...this.#result.header, title: name });
  }

  /** @param savedQuery with the version that ran. */
  #moveTo(
    document: vscode.TextDocument,
    savedQuery: NonNullable<Prepared['savedQuery']>,
    isModified: boolean | undefined,
  ): void {
    const current = this.#current;
    const { target, stage, prepared } = current;
    const about = { title: savedQuery.name, version: savedQuery.version, isModified };
    if (target !== undefined) current.target = { ...target, document };
    current.stage = ofQuery(stage, savedQuery);
    if (prepared !== undefined)
      current.prepared = {
        ...prepared,
        document,
        // If the text has changed, the old positions are invalid and must be looked up again.
        documentVersion: document.getText() === prepared.declarationsText ? document.version : -1,
        savedQuery,
        header: { ...prepared.header, ...about },
      };
    this.#result.follow(document.uri.toString(), about);
  }

  /** Starts a run in the result. If it is cancelled before it is sent, the run that it replaced is restored. */
  #begin(header: RunHeader, input: Omit<CurrentRun, 'stage' | 'writer'>): ResultWriter {
    const next: CurrentRun = { ...input, stage: preparing };
    const earlier = this.#current;
    const followed = this.#followed;
    queryOf(earlier)?.cancel();
    this.#current = next;
    this.#consent.forget();
    const restore = () => {
      this.#current = earlier;
      // The draft was saved while the form was open.
      if (this.#followed !== undefined && this.#followed !== followed) this.follow(this.#followed);
    };
    const actions: ResultActions = {
      cancel: () => this.#cancel(),
      runAgain: () => void this.#runAgain(),
      runAnyway: () => void this.#runAnyway(),
      editParameters: () => this.#editParameters(),
      submit: (values) => this.#submit(values),
      form: (request) => void this.#handleForm(request),
      load: (all) => void queryOf(this.#current)?.load(all),
      goToError: () => void this.#goToError(),
      goToQuery: () => {
        if (this.#document !== undefined) void goToQuery(this.#document, this.#current.prepared?.statement);
      },
      openProofSetting: () =>
        void vscode.commands.executeCommand(
          'workbench.action.openSettings',
          `${settingsSection}.${settings.runRequireReadOnlyProof}`,
        ),
      nextStep: () => void this.#nextStep(),
      facts: () => factsOf(this.#current),
      statement: () => next.prepared?.statement.text,
      compareText: () =>
        void vscode.commands.executeCommand(commands.historyCompare, {
          startedAt: factsOf(next)?.startedAt,
        }),
      editQuery: (rewrite) => rewriteStatement(this.#current.prepared, rewrite),
    };
    next.writer = this.#result.begin(header, actions, restore);
    return next.writer;
  }

  /** Starts another run of the same statement. Its input does not change that of the run that it replaces. */
  #renew(header: RunHeader): ResultWriter {
    const { stage, target, prepared, question, answered, isChosenHere } = this.#current;
    const copy = question?.copy();
    const writer = this.#begin(header, { target, prepared, question: copy, answered, isChosenHere });
    if (stage.kind === 'asking') this.#current.stage = stage;
    return writer;
  }

  #take(writer: ResultWriter, prepared: Prepared, options: StartOptions): void {
    this.#current.prepared = prepared;
    writer.setHeader(prepared.header);
    if (this.#deps.session.state.kind !== 'connected')
      void this.#onceConnected(writer, () => this.#take(writer, prepared, options));
    else if (this.#permitFor(writer, prepared, () => void this.#askParameters(options)) !== undefined)
      void this.#askParameters(options);
  }

  /** Returns a permit, or shows that the statement is held; `goOn` continues once the user confirms it. */
  #permitFor(writer: ResultWriter, { document, statement }: Prepared, goOn: () => void): Permit | undefined {
    const hold = (state: ReturnType<typeof elsewhereState | typeof heldState>) => {
      this.#current.stage = { kind: 'held', failure: state.failure, goOn };
      writer.set(state);
    };
    const elsewhere = this.#current.isChosenHere === true ? undefined : this.#elsewhere(document);
    if (elsewhere !== undefined) {
      hold(elsewhere);
      return undefined;
    }
    const checked = this.#consent.check(statement);
    if (checked.kind === 'permitted') return checked.permit;
    hold(heldState(statement, checked.permission));
    return undefined;
  }

  /** Returns the question about a query of another connection; undefined if it may run on the current one. */
  #elsewhere(document: vscode.TextDocument): ReturnType<typeof elsewhereState> | undefined {
    const { session, homeOf, elsewhere } = this.#deps;
    const home = homeOf(document);
    if (home === undefined || session.state.kind !== 'connected') return undefined;
    const { name } = session.state.profile;
    return elsewhere.heldBy(home, name) === undefined ? undefined : elsewhereState(home, name);
  }

  async #runAnyway(): Promise<void> {
    const { prepared, stage } = this.#current;
    const { state } = this.#result;
    if (prepared === undefined || stage.kind !== 'held' || state.kind !== 'question') return;
    this.#current.stage = preparing;
    if (state.reason === 'elsewhere') await this.#acceptElsewhere(prepared.document);
    else await this.#consent.confirm(prepared.statement);
    stage.goOn();
  }

  async #acceptElsewhere(document: vscode.TextDocument): Promise<void> {
    const { session, homeOf, elsewhere } = this.#deps;
    const home = homeOf(document);
    if (home !== undefined && session.state.kind === 'connected')
      await elsewhere.accept(home.connection, session.state.profile.name);
  }

  async #askParameters(options: StartOptions): Promise<void> {
    const { prepared, writer } = this.#current;
    if (prepared === undefined || writer === undefined) return;
    const { questionFor } = await import('./question-for.ts');
    const question = this.#current.question ?? (await questionFor(this.#deps, [prepared]));
    if (!writer.isCurrent) return;
    this.#current.question = question;
    if (question.fields.length === 0) {
      await this.#execute({}, []);
      return;
    }
    if (options.values !== undefined) question.fill(options.values);
    const mayRun =
      options.values !== undefined ||
      (options.asks !== true && readRunSettings().askParameters === 'whenNeeded' && question.isAnswered);
    if (mayRun) this.#submit(question.fields);
    else this.#showForm();
  }

  #showForm(): void {
    const { question, writer } = this.#current;
    if (question === undefined) return;
    this.#current.stage = { kind: 'asking' };
    writer?.set(question.state);
    // The user's input is needed next, so the form takes the focus, wherever the run was started.
    void this.#deps.results.reveal(this.#result, { takeFocus: true });
    void this.#offerValues(question);
  }

  /** A form that was opened from the rows leaves the focus there. */
  #leaveForm(): void {
    if (this.#result.state.kind === 'parameters') void returnTo(this.#current.from);
  }

  /** Offers values of the data in the form that is shown, once they are read. */
  async #offerValues(question: ParameterQuestion): Promise<void> {
    const { prepared, writer } = this.#current;
    const { state } = this.#deps.session;
    if (prepared === undefined || writer === undefined || state.kind !== 'connected') return;
    const offer = async (field: ParameterField) => {
      const values = await this.#deps.offered.of(state.client, prepared.model, field);
      const isShown = writer.isCurrent && this.#result.state.kind === 'parameters';
      if (question.offer(field.name, values) && isShown) writer.set(question.state);
    };
    await Promise.all(question.fields.map(offer));
  }

  #editParameters(): void {
    const { prepared, question } = this.#current;
    if (prepared === undefined || question === undefined) return;
    this.#renew({ ...prepared.header, parameters: [] });
    this.#showForm();
  }

  async #handleForm(request: FormRequest): Promise<void> {
    const { writer, question } = this.#current;
    if (question === undefined || writer === undefined) return;
    const isChanged = await question.handle(request);
    if (isChanged && writer.isCurrent && this.#result.state.kind === 'parameters') writer.set(question.state);
  }

  #submit(values: readonly EnteredValue[]): void {
    const { question, answered } = this.#current;
    if (question === undefined) return;
    const outcome = question.submit(values);
    if (outcome.kind === 'invalid') {
      this.#showForm();
      return;
    }
    this.#current.stage = preparing;
    this.#leaveForm();
    if (answered === undefined) void this.#execute(outcome.parameters, outcome.fields);
    else answered(question);
  }

  async #execute(
    parameters: Readonly<Record<string, ParameterValue>>,
    fields: readonly ParameterField[],
  ): Promise<void> {
    const run = this.#current;
    const { prepared, writer } = run;
    const { session, log } = this.#deps;
    if (prepared === undefined || writer === undefined) return;
    if (session.state.kind !== 'connected') {
      await this.#onceConnected(writer, () => void this.#execute(parameters, fields));
      return;
    }
    const queryPermit = this.#permitFor(writer, prepared, () => void this.#execute(parameters, fields));
    if (queryPermit === undefined) return;
    this.#consent.forget();
    const flagged = flaggedCodes(prepared);
    const { tablesOf, closing } = this.#deps;
    const connection = session.state;
    const home = foreignHomeOf(this.#deps.homeOf(prepared.document));
    const sent = new SentRun({
      prepared,
      permit: queryPermit,
      parameters,
      fields,
      connection,
      home,
      closing,
      tablesOf,
    });
    writer.setHeader(sent.header);
    run.stage = { kind: 'sent', facts: sent.facts };
    const explain = (error: unknown, locate: Locate | undefined) => {
      const failure = this.#explain(error, { prepared, writer, locate });
      run.stage = failed(run.stage, failure);
      return failure;
    };
    let query: QueryRun;
    try {
      query = sent.open(writer, explain);
    } catch (error) {
      this.#fail(writer, explain(error, undefined));
      return;
    }
    run.stage = { ...run.stage, query };
    const outcome = await query.start();
    log.info(
      `run ${outcome.kind}: ${countedText(outcome.rowCount, 'row')} of the first page, ${Math.round(outcome.ms)} ms`,
    );
    this.#deps.ended(sent.recordOf(outcome));
    if (outcome.kind === 'rows') await this.#noteAccepted(prepared, flagged);
  }

  /** Lowers the flagged rules to hints for this statement, since the service ran it. */
  async #noteAccepted({ statement }: Prepared, flagged: readonly string[]): Promise<void> {
    const lowered = await this.#deps.disagreements.accept(statement.text, flagged);
    if (lowered.length === 0) return;
    this.#deps.log.warn(
      `the service ran what ${lowered.join(', ')} flagged: lowered to a hint for this text. ` +
        'If the check is wrong, its quick fix "Report a false positive" copies a report without your data.',
    );
  }

  #explain(
    error: unknown,
    at: {
      readonly prepared: Prepared;
      readonly writer: ResultWriter;
      readonly locate: Locate | undefined;
    },
  ): RunFailure {
    const { document, statement, documentVersion } = at.prepared;
    const explained = failureWithStep(error, (position) => {
      const place = at.locate?.(position);
      return place && placeNow(at.prepared, place);
    });
    const failure =
      explained.fault === 'sign-in'
        ? { ...explained, nextStep: stepOf(this.#whyDisconnected()) ?? explained.nextStep }
        : explained;
    if (isMissingName(error)) this.#deps.missedName();
    if (failure.code === unexpectedCode) this.#deps.log.error(`run failed unexpectedly: ${stackOf(error)}`);
    if (at.writer.isCurrent && document.version === documentVersion)
      this.#deps.problems.report(document, failure, rangeOf(statement));
    return failure;
  }

  #cancel(): void {
    const query = queryOf(this.#current);
    this.#leaveForm();
    if (query?.isBusy === true) query.cancel();
    else if (this.#result.isUnsent && !this.#result.restoreEarlier()) {
      // Starting a new writer discards pending responses from the checks.
      this.#renew(this.#result.header).set({ kind: 'cancelled', elapsedMs: 0 });
    }
  }

  /**
   * Runs the same statement with the same values, even if the document has changed. Shows a form that was cancelled
   * again, with its input.
   */
  async #runAgain(): Promise<void> {
    const { prepared, target } = this.#current;
    if (prepared === undefined) {
      if (target !== undefined) await this.start(target.document, target.selection, { isFromRows: true });
      return;
    }
    this.#deps.problems.clear(prepared.document.uri);
    const writer = this.#renew({ ...prepared.header, parameters: [] });
    const { question, stage } = this.#current;
    if (question === undefined || question.fields.length === 0) this.#take(writer, prepared, {});
    else if (stage.kind === 'asking') this.#showForm();
    else this.#submit(question.fields);
  }

  /**
   * Called when the session is connected, or its service available, again: a run that failed because of that offers to
   * run. Sends nothing.
   */
  reconnected(connection: string): void {
    const { writer } = this.#current;
    const { state } = this.#result;
    if (writer?.isCurrent !== true) return;
    if (state.kind === 'failed' && state.failure.fault !== undefined && state.isBack !== true)
      writer.set({ ...state, isBack: true });
    if (state.kind !== 'disconnected') return;
    const message = vscode.l10n.t('Connected to {0}. The query was not sent.', connection);
    if (message === state.message) return;
    this.#current.stage = failed(this.#current.stage, { message, reasons: [] });
    writer.set({ kind: 'disconnected', message, isBack: true });
  }

  /** Goes on once connected, after another attempt if the last one failed and may succeed now. */
  async #onceConnected(writer: ResultWriter, goOn: () => void): Promise<void> {
    const { kind } = await this.#deps.session.ready();
    if (!writer.isCurrent) return;
    if (kind === 'connected') goOn();
    else this.#disconnected(writer);
  }

  #disconnected(writer: ResultWriter): void {
    const error = this.#whyDisconnected();
    if (error === undefined) return;
    const { message } = error;
    const nextStep = this.#homeStep() ?? stepOf(error);
    this.#current.stage = failed(this.#current.stage, { message, reasons: [], nextStep });
    writer.set({ kind: 'disconnected', message, remedy: nextStep?.title });
  }

  /** After a deliberate stop, the connection of a saved query is known. */
  #homeStep(): RunFailure['nextStep'] {
    const document = this.#document;
    if (document === undefined || this.#deps.session.state.kind !== 'disconnected') return undefined;
    return this.#deps.homeOf(document)?.connect;
  }

  /** Returns the error of a command that needs the connection; undefined if there is one. */
  #whyDisconnected(): Error | undefined {
    try {
      this.#deps.session.requireClient();
    } catch (error) {
      if (error instanceof Error) return error;
    }
    return undefined;
  }

  #fail(writer: ResultWriter, failure: RunFailure): void {
    this.#current.stage = failed(this.#current.stage, failure);
    writer.set({ kind: 'failed', failure, elapsedMs: 0 });
  }

  async #goToError(): Promise<void> {
    const place = failureOf(this.#current)?.place;
    if (place !== undefined && this.#document !== undefined) await goToPlace(this.#document, place);
  }

  get #document(): vscode.TextDocument | undefined {
    return this.#current.prepared?.document ?? this.#current.target?.document;
  }

  async #nextStep(): Promise<void> {
    const { writer, stage } = this.#current;
    const { command, argument } = failureOf(this.#current)?.nextStep ?? {
      command: commands.connectionConnect,
    };
    const { state } = this.#result;
    await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
    const isWaiting = () => writer?.isCurrent === true;
    // The person who connects from a run that was not sent wants its rows.
    if (state.kind === 'disconnected') {
      const { kind } = await this.#deps.session.settled();
      if (kind === 'connected' && isWaiting()) await this.#runAgain();
      return;
    }
    // "Connect to Sandbox and Run": on any other connection, the question stays.
    const isAsked = state.kind === 'question' && state.reason === 'elsewhere' && state === this.#result.state;
    if (isAsked && writer !== undefined && isWaiting() && stage.kind === 'held')
      await this.#onceConnected(writer, stage.goOn);
  }
}

/** Returns the editor of a document if the person is in it. */
function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const { activeTextEditor } = vscode.window;
  return activeTextEditor?.document === document ? activeTextEditor : undefined;
}

const factsOf = ({ stage }: CurrentRun): RunFacts | undefined =>
  stage.kind === 'sent' ? stage.facts : undefined;
const queryOf = ({ stage }: CurrentRun): QueryRun | undefined =>
  stage.kind === 'sent' ? stage.query : undefined;
const failureOf = ({ stage }: CurrentRun): RunFailure | undefined =>
  'failure' in stage ? stage.failure : undefined;

const failed = (stage: Stage, failure: RunFailure): Stage =>
  stage.kind === 'sent' ? { ...stage, failure } : { kind: 'unsent', failure };

const ofQuery = (stage: Stage, savedQuery: RunFacts['savedQuery']): Stage =>
  stage.kind === 'sent' ? { ...stage, facts: { ...stage.facts, savedQuery } } : stage;
