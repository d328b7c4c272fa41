/**
 * From a key press to rows: finds the statement, has it checked, asks for parameters, runs it, and reports errors. One
 * per result, for the result's lifetime.
 */
import * as vscode from 'vscode';
import type { ParameterValue } from '../../../../api/contract/execute.ts';
import type { CatalogueTable, StatementsResult } from '../../../../server/src/protocol.ts';
import { commands, settings, settingsSection } from '../../contributions.ts';
import { connectionKeyOf, serviceKeyOf } from '../../../../core/src/connections/connection-profile.ts';
import { connectionOfRows } from '../../ui/connection-words.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { stackOf } from '../../../../core/src/shown-text/stack-of.ts';
import type { EnteredValue, ParameterField } from '../../../../core/src/parameters/parameter-field.ts';
import type { FormRequest, Result, ResultsFeature, ResultWriter } from '../results/index.ts';
import type { RunFacts } from '../../../../core/src/runs/run-facts.ts';
import { unexpectedCode } from '../../../../core/src/runs/explain-failure.ts';
import type { RunFailure } from '../../../../core/src/runs/run-failure.ts';
import type { RunHeader } from '../../../../core/src/runs/run-header.ts';
import type { Disagreements } from '../../../../core/src/runs/disagreements.ts';
import { describeColumns } from '../../../../core/src/runs/describe-columns.ts';
import { factsOf } from './facts-of.ts';
import { findStatement } from './find-statement.ts';
import { flaggedCodes } from './flagged-codes.ts';
import type { ParameterMemory, RememberedValue } from '../../../../core/src/parameters/memory.ts';
import type { ParameterQuestion } from './parameters/parameter-question.ts';
import type { AcceptedFunctions } from '../../../../core/src/policy/accepted-functions.ts';
import { mayRun, type Permission } from '../../../../core/src/policy/may-run.ts';
import { permit, sendQueryPacked, type Permit } from '../../../../core/src/policy/send-query.ts';
import { headerOf, heldState, prepareRun, rangeOf } from './prepared-run.ts';
import type { Prepared, PrepareDependencies } from './prepared-run.ts';
import { PageScanner } from '../../../../core/src/rows/scan/page-scanner.ts';
import { QueryRun } from '../../../../core/src/runs/query-run.ts';
import { questionFor } from './question-for.ts';
import { failureWithStep } from '../../ui/read-failure.ts';
import type { RunProblems } from './run-problems.ts';
import type { RunRecord } from '../../../../core/src/history/run-record.ts';
import { recordOf } from './run-record.ts';
import { buildRequest } from '../../../../core/src/runs/run-request.ts';
import { readRunSettings } from './run-settings.ts';
import { showDocument } from '../../ui/show-document.ts';
import { relocate, type TextPosition } from '../../../../core/src/runs/source-positions.ts';

export interface RunDependencies extends PrepareDependencies {
  readonly log: Logger;
  readonly results: ResultsFeature;
  readonly memory: ParameterMemory;
  readonly problems: RunProblems;
  readonly disagreements: Disagreements;
  readonly acceptedFunctions: AcceptedFunctions;
  readonly statements: (
    document: vscode.TextDocument,
    range?: vscode.Range,
  ) => Promise<StatementsResult | undefined>;
  /** Known columns of a model on the current connection. */
  readonly tablesOf: (model: string) => readonly CatalogueTable[];
  /** Briefly highlights the executed part of the document. */
  readonly flash: (document: vscode.TextDocument, range: vscode.Range) => void;
  /** Called when a sent run has ended. */
  readonly ended: (record: RunRecord) => void;
}

export interface StartOptions {
  /** Shows the form even if the settings would skip it. */
  readonly asks?: boolean | undefined;
  /** Values to use; asked for only if invalid. */
  readonly values?: Readonly<Record<string, RememberedValue>> | undefined;
}

export class RunController {
  readonly #deps: RunDependencies;
  readonly #result: Result;
  #target: { readonly document: vscode.TextDocument; readonly selection: vscode.Selection } | undefined;
  #writer: ResultWriter | undefined;
  #prepared: Prepared | undefined;
  #question: ParameterQuestion | undefined;
  /** Use of the valid values; by default this result's run. */
  #answered: (() => void) | undefined;
  /** Continues when the person confirms a held query. */
  #goOn: (() => void) | undefined;
  /** The connection for which the person confirmed the next send. */
  #consent: string | undefined;
  #run: QueryRun | undefined;
  #failure: RunFailure | undefined;
  #facts: RunFacts | undefined;

  constructor(deps: RunDependencies, result: Result) {
    this.#deps = deps;
    this.#result = result;
  }

  /** Runs the statement at the cursor. */
  async start(
    document: vscode.TextDocument,
    selection: vscode.Selection,
    options: StartOptions = {},
  ): Promise<void> {
    this.#target = { document, selection };
    const writer = this.#begin({ ...headerOf(this.#deps.describe(document), document), parameters: [] });
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

  /** Runs a statement prepared elsewhere: one of several statements or value sets. */
  startPrepared(prepared: Prepared, options: StartOptions = {}): void {
    this.#target = undefined;
    this.#take(this.#begin(prepared.header), prepared, options);
  }

  /** Shows another caller's form in this result. */
  ask(prepared: Prepared, question: ParameterQuestion, answered: () => void): void {
    this.#target = undefined;
    this.#begin(prepared.header);
    this.#prepared = prepared;
    this.#question = question;
    this.#answered = answered;
    this.#showForm();
  }

  #begin(header: RunHeader): ResultWriter {
    this.#run?.cancel();
    this.#run = undefined;
    this.#prepared = undefined;
    this.#question = undefined;
    this.#answered = undefined;
    this.#failure = undefined;
    return this.#renew(header);
  }

  /** Repeats the run in the same result. */
  #renew(header: RunHeader): ResultWriter {
    this.#facts = undefined;
    this.#goOn = undefined;
    this.#consent = undefined;
    this.#writer = this.#result.begin(header, {
      cancel: () => this.#cancel(),
      runAgain: () => void this.#runAgain(),
      runAnyway: () => void this.#runAnyway(),
      editParameters: () => this.#editParameters(),
      submit: (values) => this.#submit(values),
      form: (request) => void this.#handleForm(request),
      load: (all) => void this.#run?.load(all),
      goToError: () => void this.#goToError(),
      goToQuery: () => void this.#goToQuery(),
      openProofSetting: () =>
        void vscode.commands.executeCommand(
          'workbench.action.openSettings',
          `${settingsSection}.${settings.runRequireReadOnlyProof}`,
        ),
      nextStep: () => void this.#nextStep(),
      step: () => undefined, // a run's header has none
      facts: () => this.#facts,
      editQuery: (rewrite) => this.#editQuery(rewrite),
    });
    return this.#writer;
  }

  #take(writer: ResultWriter, prepared: Prepared, options: StartOptions): void {
    this.#prepared = prepared;
    writer.setHeader(prepared.header);
    if (this.#deps.session.state.kind !== 'connected') this.#disconnected(writer);
    else if (this.#permitFor(writer, prepared, () => void this.#askParameters(options)) !== undefined)
      void this.#askParameters(options);
  }

  /** Checked before asking for parameters, and again before sending: the connection may have changed. */
  #permitFor(writer: ResultWriter, prepared: Prepared, goOn: () => void): Permit | undefined {
    const permission = this.#permissionFor(prepared);
    if (permission.kind === 'go') return permit(permission, 'not-asked');
    if (permission.kind === 'ask' && this.#consent !== undefined && this.#consent === this.#connectionKey)
      return permit(permission, 'confirmed');
    const state = heldState(prepared.statement, permission);
    this.#failure = state.failure;
    this.#goOn = goOn;
    writer.set(state);
    return undefined;
  }

  #permissionFor({ statement }: Prepared): Permission {
    const { disagreements, acceptedFunctions } = this.#deps;
    const connectionKey = this.#connectionKey;
    return mayRun(statement, {
      isProofRequired: readRunSettings().isProofRequired,
      isKnownToRun: disagreements.isLowered(statement.text, 'QUERY_PARSE_ERROR'),
      isAccepted: (part) => connectionKey !== undefined && acceptedFunctions.has(connectionKey, part),
    });
  }

  get #connectionKey(): string | undefined {
    const { state } = this.#deps.session;
    return state.kind === 'connected' ? connectionKeyOf(state.profile) : undefined;
  }

  /** The person has read the question. Unknown functions are not asked about again on this connection. */
  async #runAnyway(): Promise<void> {
    const prepared = this.#prepared;
    const goOn = this.#goOn;
    const connectionKey = this.#connectionKey;
    if (prepared === undefined || goOn === undefined || this.#result.state.kind !== 'question') return;
    this.#goOn = undefined;
    this.#consent = connectionKey;
    const permission = this.#permissionFor(prepared);
    if (permission.kind === 'ask' && permission.reason === 'unknown-function' && connectionKey !== undefined)
      await this.#deps.acceptedFunctions.accept(connectionKey, permission.parts);
    goOn();
  }

  async #askParameters(options: StartOptions): Promise<void> {
    const prepared = this.#prepared;
    const writer = this.#writer;
    if (prepared === undefined || writer === undefined) return;
    this.#question ??= await questionFor(this.#deps, [prepared]);
    if (!writer.isCurrent) return;
    const question = this.#question;
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
    if (this.#question === undefined) return;
    this.#writer?.set(this.#question.state);
    // Input comes next, wherever the run was started: the form gets the focus.
    void this.#deps.results.reveal(this.#result, { takeFocus: true });
  }

  #editParameters(): void {
    if (this.#prepared === undefined || this.#question === undefined) return;
    this.#run?.cancel();
    this.#renew({ ...this.#prepared.header, parameters: [] });
    this.#showForm();
  }

  async #handleForm(request: FormRequest): Promise<void> {
    const writer = this.#writer;
    const question = this.#question;
    if (question === undefined || writer === undefined) return;
    const isChanged = await question.handle(request);
    if (isChanged && writer.isCurrent && this.#result.state.kind === 'parameters') writer.set(question.state);
  }

  #submit(values: readonly EnteredValue[]): void {
    const question = this.#question;
    if (question === undefined || this.#writer === undefined) return;
    const outcome = question.submit(values);
    if (outcome.kind === 'invalid') {
      this.#showForm();
      return;
    }
    if (this.#answered === undefined) void this.#execute(outcome.parameters, outcome.fields);
    else this.#answered();
  }

  async #execute(
    parameters: Readonly<Record<string, ParameterValue>>,
    fields: readonly ParameterField[],
  ): Promise<void> {
    const prepared = this.#prepared;
    const writer = this.#writer;
    const { session, log } = this.#deps;
    if (prepared === undefined || writer === undefined) return;
    if (session.state.kind !== 'connected') {
      this.#disconnected(writer);
      return;
    }
    const queryPermit = this.#permitFor(writer, prepared, () => void this.#execute(parameters, fields));
    if (queryPermit === undefined) return;
    this.#consent = undefined;
    const { client, profile } = session.state;
    // Asks the current connection, which may differ from the first run's.
    const header: RunHeader = {
      ...prepared.header,
      ...connectionOfRows(profile),
      parameters: fields.map(shownParameter),
    };
    writer.setHeader(header);
    const { parameterBinding, timeLimitMs, pageSize, rowLimit } = readRunSettings();
    const flagged = flaggedCodes(prepared);
    let locate: ReturnType<typeof buildRequest>['locate'] | undefined;
    const explain = (error: unknown) => this.#explain(error, { prepared, writer, locate });
    const startedAt = Date.now();
    this.#facts = factsOf({ prepared, service: serviceKeyOf(profile), startedAt, fields, parameters });
    const scanner = new PageScanner('doubles');
    let run: QueryRun;
    try {
      const built = buildRequest(prepared.statement, { parameters, fields, binding: parameterBinding });
      locate = built.locate;
      run = new QueryRun({
        preparing: vscode.l10n.t('The service is still preparing these rows.'),
        execute: (request, options) => sendQueryPacked(client, queryPermit, { request, scanner, options }),
        request: { ...built.request, model: prepared.model },
        writer,
        expected: prepared.statement.columns,
        describe: (columns) =>
          describeColumns(columns, {
            statement: prepared.statement.text,
            tables: this.#deps.tablesOf(prepared.model),
          }),
        pageSize,
        rowLimit,
        timeLimitMs,
        explain,
      });
    } catch (error) {
      this.#fail(writer, explain(error));
      return;
    }
    this.#run = run;
    const outcome = await run.start();
    log.info(`run ${outcome.kind}: ${outcome.rowCount} rows of the first page, ${Math.round(outcome.ms)} ms`);
    const connectionKey = connectionKeyOf(profile);
    this.#deps.ended(recordOf({ prepared, header, fields, outcome, startedAt, connectionKey }));
    if (outcome.kind === 'rows') await this.#noteAccepted(prepared, flagged);
  }

  /** The service ran a flagged text: the check is wrong about it. */
  async #noteAccepted({ statement }: Prepared, flagged: readonly string[]): Promise<void> {
    const lowered = await this.#deps.disagreements.accept(statement.text, flagged);
    if (lowered.length === 0) return;
    this.#deps.log.warn(
      `the service ran what ${lowered.join(', ')} flagged: lowered to a hint for this text. ` +
        'If the check is wrong, its quick fix "Report False Positive" copies a report without your data.',
    );
  }

  #explain(
    error: unknown,
    at: {
      readonly prepared: Prepared;
      readonly writer: ResultWriter;
      readonly locate: ReturnType<typeof buildRequest>['locate'] | undefined;
    },
  ): RunFailure {
    const { document, statement, documentVersion } = at.prepared;
    // The document may have changed since: finds the statement's current position.
    const shift = (place: TextPosition) =>
      document.version === documentVersion
        ? place
        : relocate(place, {
            statement: statement.text,
            start: statement.range.start,
            text: document.getText(),
          });
    const failure = failureWithStep(error, (position) => {
      const place = at.locate?.(position);
      return place && shift(place);
    });
    if (failure.code === unexpectedCode) this.#deps.log.error(`run failed unexpectedly: ${stackOf(error)}`);
    this.#failure = failure;
    if (at.writer.isCurrent && document.version === documentVersion) {
      this.#deps.problems.report(document, failure, rangeOf(statement));
    }
    return failure;
  }

  #cancel(): void {
    const { kind } = this.#result.state;
    if (this.#run?.isBusy === true) this.#run.cancel();
    else if (kind === 'parameters' || kind === 'checking') {
      // A new writer drops pending responses from the checks.
      this.#renew(this.#result.header).set({ kind: 'cancelled', elapsedMs: 0 });
    }
  }

  /** The same statement with the same values, even if the document has changed. */
  async #runAgain(): Promise<void> {
    const prepared = this.#prepared;
    if (prepared === undefined) {
      if (this.#target !== undefined) await this.start(this.#target.document, this.#target.selection);
      return;
    }
    this.#run?.cancel();
    this.#deps.problems.clear(prepared.document.uri);
    const writer = this.#renew({ ...prepared.header, parameters: [] });
    const question = this.#question;
    if (this.#deps.session.state.kind !== 'connected') this.#disconnected(writer);
    else if (question === undefined || question.fields.length === 0) this.#take(writer, prepared, {});
    else this.#submit(question.fields);
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

  /** @throws ExpectedError if the failure has no position, or there is none. */
  async #goToError(): Promise<void> {
    const place = this.#failure?.place;
    const document = this.#document;
    if (place === undefined || document === undefined) return;
    const at = new vscode.Position(place.line - 1, place.column - 1);
    await showDocument(document, new vscode.Range(at, at));
  }

  async #goToQuery(): Promise<void> {
    const document = this.#document;
    if (document === undefined) return;
    const statement = this.#prepared?.statement;
    const range = statement === undefined ? undefined : rangeOf(statement);
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    // Returning from the rows continues at the caret.
    const isThere = shown !== undefined && (range?.contains(shown.selection) ?? true);
    const selection = isThere ? shown.selection : range && new vscode.Range(range.start, range.start);
    await showDocument(document, selection);
  }

  get #document(): vscode.TextDocument | undefined {
    return this.#prepared?.document ?? this.#target?.document;
  }

  /** The executed statement must still exist: rewriting anything else would be surprising. */
  async #editQuery(rewrite: (statement: string) => string): Promise<void> {
    const prepared = this.#prepared;
    if (
      prepared === undefined ||
      prepared.document.getText(rangeOf(prepared.statement)) !== prepared.statement.text
    ) {
      throw new ExpectedError(vscode.l10n.t('The query changed after it ran. Run it again, then add to it.'));
    }
    const { document, statement } = prepared;
    const place = rangeOf(statement);
    const text = rewrite(statement.text);
    await showDocument(document, new vscode.Range(place.start, place.start));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, place, text);
    await vscode.workspace.applyEdit(edit);
  }

  async #nextStep(): Promise<void> {
    const { command, argument } = this.#failure?.nextStep ?? { command: commands.connectionConnect };
    await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
  }
}

function shownParameter({ name, text, isNull, isEmpty, isSecret, defaultText }: ParameterField) {
  const isDefault = text === '' && !isNull && !isEmpty && defaultText !== undefined;
  return { name, text: isSecret ? '' : isDefault ? defaultText : text, isNull, isEmpty, isSecret };
}
