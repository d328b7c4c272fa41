/** Running queries: the commands, and one controller for each result. */
import * as vscode from 'vscode';
import type { StatementsResult } from '../../../../server/src/protocol.ts';
import { commands, type CommandId } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { registerCommand, type CommandHandler } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { EnteredValue, ParameterField } from '../../../../core/src/parameters/parameter-field.ts';
import { showInformationMessage } from '../../ui/shown/notifications.ts';
import type { Result, ResultsFeature } from '../results/index.ts';
import { AcceptedFunctions } from '../../../../core/src/policy/accepted-functions.ts';
import { Disagreements } from '../../../../core/src/runs/disagreements.ts';
import { findStatement } from './find-statement.ts';
import { Flash } from './flash.ts';
import { forgetAcceptedFunctions } from './forget-accepted.ts';
import { GroupRuns } from './group-runs.ts';
import {
  ParameterMemory,
  type RememberedValue,
  type ValueSet,
} from '../../../../core/src/parameters/memory.ts';
import { memoryKeyOf, type RunDescription } from './prepared-run.ts';
import { RunController, type RunDependencies } from './run-controller.ts';
import { RunProblems } from './run-problems.ts';
import type { RunRecord } from '../../../../core/src/history/run-record.ts';
import { isRemembering } from './run-settings.ts';
import { isBusy, registerRunningStatus } from './running-status.ts';
import { targetOf } from './run-target.ts';
import { pickValueSets } from './value-set-picks.ts';
import { errorName } from '../../../../core/src/util/errors.ts';

export { historyScheme, type RunDescription } from './prepared-run.ts';

export interface RunsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  /** What the checks say of a document's statements; undefined when nobody answers. */
  readonly statements: (
    document: vscode.TextDocument,
    range?: vscode.Range,
  ) => Promise<StatementsResult | undefined>;
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly tablesOf: RunDependencies['tablesOf'];
  /** What the connection of a key is called, where that is known. */
  readonly connectionNameOf: (connectionKey: string) => string | undefined;
  readonly describe: (document: vscode.TextDocument) => RunDescription;
  readonly savedQueries: {
    /** Asks for one; undefined when the person left. */
    pick(title: string): Promise<vscode.Uri | undefined>;
    /** Where a saved query opens as a document; undefined for one that is not known. */
    uriOf(queryId: string): vscode.Uri | undefined;
  };
}

export interface RunsFeature extends DisposableLike {
  /** Fires for every run that was sent, when it has ended. */
  readonly onDidEndRun: vscode.Event<RunRecord>;
  /** Rules that the service has shown to be wrong about a text. */
  readonly lowered: Pick<Disagreements, 'isLowered' | 'mayBeLowered'> & {
    readonly onDidChange: vscode.Event<void>;
  };
  /** The remembered parameters of a document go along to the saved query that it became. */
  carryParameters(from: vscode.TextDocument, queryId: string): void;
  /** Runs a document that need not be shown, with values that are asked for only where they do not fit. */
  run(
    document: vscode.TextDocument,
    options?: {
      readonly values?: Readonly<Record<string, RememberedValue>> | undefined;
      readonly isNew?: boolean;
    },
  ): Promise<Result>;
  /** The value sets of a document's query on this connection. */
  valueSets(document: vscode.TextDocument): readonly ValueSet[];
}

export function registerRuns(deps: RunsDependencies): RunsFeature {
  const { context, log, results, session } = deps;
  const disposables = new DisposableStore();
  const flash = disposables.add(new Flash());
  const problems = disposables.add(new RunProblems());
  const memory = new ParameterMemory(context.globalState, isRemembering);
  const ended = disposables.add(new vscode.EventEmitter<RunRecord>());
  const lowered = disposables.add(new vscode.EventEmitter<void>());
  const disagreements = new Disagreements(context.workspaceState, () => lowered.fire());
  const controllers = new WeakMap<Result, RunController>();
  const acceptedFunctions = new AcceptedFunctions(context.globalState);
  const run: RunDependencies = {
    ...deps,
    memory,
    problems,
    disagreements,
    acceptedFunctions,
    flash: (document, range) => flash.show(document, range),
    ended: (record) => ended.fire(record),
  };
  const controllerOf = (result: Result): RunController => {
    const controller = controllers.get(result) ?? new RunController(run, result);
    controllers.set(result, controller);
    return controller;
  };
  const groups = new GroupRuns(run, controllerOf);

  const start = async (
    target: { readonly document: vscode.TextDocument; readonly selection: vscode.Selection },
    options: {
      readonly isNew?: boolean;
      readonly asks?: boolean;
      readonly values?: Readonly<Record<string, RememberedValue>> | undefined;
    } = {},
  ) => {
    const { document, selection } = target;
    const header = { title: deps.describe(document).title, parameters: [] };
    const result = results.resultFor(document.uri.toString(), header, { isNew: options.isNew === true });
    await controllerOf(result).start(document, selection, { asks: options.asks, values: options.values });
    return result;
  };
  const register = (id: CommandId, handler: CommandHandler) =>
    disposables.add(registerCommand(log, id, handler));

  register(commands.queryRun, async (argument) => start(await targetOf(argument)));
  register(commands.queryRunInNewResult, async (argument) =>
    start(await targetOf(argument), { isNew: true }),
  );
  register(commands.parametersEdit, async (uri, position) => {
    await start(await targetOf(uri, position), { asks: true });
  });
  register(commands.queryRunAll, async (argument) => groups.runAll((await targetOf(argument)).document));
  register(commands.queryRunWithValueSets, async (argument) => {
    const { document, selection } = await targetOf(argument);
    const key = memoryKeyOf(deps, document);
    if (memory.sets(key).length === 0) {
      throw new ExpectedError(
        vscode.l10n.t(
          'This query has no value sets on this connection. Fill in its parameters and choose Save as Set.',
        ),
        [{ title: vscode.l10n.t('Edit Parameters'), command: commands.parametersEdit }],
      );
    }
    const sets = await pickValueSets(memory, key);
    if (sets === undefined || sets.length === 0) return;
    const found = await findStatement(deps, document, selection);
    if (found.kind === 'none') throw new ExpectedError(found.failure.message);
    await groups.runWithSets(document, { ...found, sets });
  });
  register(commands.savedQueryRun, async (argument) => {
    session.requireClient();
    const uri = await savedQueryOf(argument, deps.savedQueries);
    if (uri === undefined) return;
    const document = await vscode.workspace.openTextDocument(uri);
    await start({ document, selection: new vscode.Selection(0, 0, 0, 0) });
  });

  register(commands.parametersSubmit, (values) => {
    const current = results.current(activeKey());
    if (current?.state.kind !== 'parameters')
      throw new ExpectedError(vscode.l10n.t('No form asks for parameters.'));
    current.actions?.submit(enteredValues(values, current.state.fields));
  });
  register(commands.parametersForget, async () => {
    await memory.forgetAll();
    void showInformationMessage(
      vscode.l10n.t(
        'The remembered parameter values of all queries are gone. Value sets that you saved by name stay.',
      ),
    );
  });
  register(commands.parametersForgetQuery, async (argument) => {
    const { document } = await targetOf(argument);
    const hadAny = await memory.forget(memoryKeyOf(deps, document));
    void showInformationMessage(
      hadAny
        ? vscode.l10n.t('The remembered parameter values of this query are gone.')
        : vscode.l10n.t('No parameter values of this query were remembered.'),
    );
  });

  register(commands.functionsForget, () => forgetAcceptedFunctions(acceptedFunctions, deps.connectionNameOf));

  register(commands.runCancel, () => {
    const current = results.current(activeKey());
    const busy = isBusy(current) ? current : results.results.find(isBusy);
    if (busy === undefined) throw new ExpectedError(vscode.l10n.t('Nothing is running.'));
    busy.actions?.cancel();
  });
  register(commands.runAgain, () => {
    const current = results.current(activeKey());
    if (current?.actions === undefined) throw new ExpectedError(vscode.l10n.t('Nothing was run yet.'));
    current.actions.runAgain();
  });
  register(commands.runAnyway, () => {
    const current = results.current(activeKey());
    if (current?.state.kind !== 'question')
      throw new ExpectedError(vscode.l10n.t('Nothing waits for an answer.'));
    current.actions?.runAnyway();
  });
  register(commands.runGoToError, () => {
    const current = results.current(activeKey());
    const hasPlace = current !== undefined && failureOf(current)?.place !== undefined;
    if (!hasPlace)
      throw new ExpectedError(vscode.l10n.t('The last run has no error with a place in the query.'));
    current.actions?.goToError();
  });
  register(commands.resultsCurrent, () => results.current(activeKey())?.view());
  disposables.add(registerRunningStatus(results, log));
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
      groups.forget(uri.toString());
      if (isUntitled) memory.forgetDraft(uri.toString());
    }),
  );

  return {
    onDidEndRun: ended.event,
    lowered: {
      isLowered: (statement, code) => disagreements.isLowered(statement, code),
      mayBeLowered: (code) => disagreements.mayBeLowered(code),
      onDidChange: lowered.event,
    },
    carryParameters: (from, queryId) => {
      const key = memoryKeyOf(deps, from);
      void memory
        .carryOver(key, { connection: key.connection, query: queryId })
        .catch((error: unknown) => log.warn(`carrying parameters over failed: ${errorName(error)}`));
    },
    valueSets: (document) => memory.sets(memoryKeyOf(deps, document)),
    run: (document, { values, isNew = false } = {}) =>
      start({ document, selection: new vscode.Selection(0, 0, 0, 0) }, { values, isNew }),
    dispose: () => disposables.dispose(),
  };
}

/** @param argument `{ queryId }`, as a row of the view has it, else the person is asked. */
async function savedQueryOf(
  argument: unknown,
  savedQueries: RunsDependencies['savedQueries'],
): Promise<vscode.Uri | undefined> {
  if (typeof argument !== 'object' || argument === null || !('queryId' in argument)) {
    return await savedQueries.pick(vscode.l10n.t('Run a Saved Query'));
  }
  const uri = savedQueries.uriOf(String(argument.queryId));
  if (uri === undefined)
    throw new ExpectedError(vscode.l10n.t('This saved query is not known here. Refresh the list.'));
  return uri;
}

/** What is not named keeps what the form shows. */
function enteredValues(values: unknown, fields: readonly ParameterField[]): readonly EnteredValue[] {
  const given = new Map(typeof values === 'object' && values !== null ? Object.entries(values) : []);
  return fields.map(({ name, text, isNull, isEmpty }) => {
    const value: unknown = given.get(name);
    if (value === null) return { name, text: '', isNull: true, isEmpty: false };
    if (typeof value === 'string') return { name, text: value, isNull: false, isEmpty: value === '' };
    return { name, text, isNull, isEmpty };
  });
}

function failureOf({ state }: Result) {
  return state.kind === 'failed' || state.kind === 'refused' || state.kind === 'question'
    ? state.failure
    : undefined;
}

function activeKey(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.toString();
}
