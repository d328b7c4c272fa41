/** Runs queries: registers the commands, and creates one controller per result. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { shownUris } from '#client/ui/shown-uris.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import { ParameterMemory, type RememberedValue, type ValueSet } from '#core/parameters/memory.ts';
import { AcceptedFunctions } from '#core/policy/accepted-functions.ts';
import { QueriesElsewhere } from '#core/policy/query-home.ts';
import { Disagreements } from '#core/runs/disagreements.ts';
import type { Result } from '../results/index.ts';
import type { MadeQuery } from '../saved-queries/index.ts';
import type { RunsDependencies } from './dependencies.ts';
import { Flash } from './flash.ts';
import { GroupRuns } from './group-runs.ts';
import { OfferedValues } from './parameters/offered-values.ts';
import { RunCommands } from './run-commands.ts';
import { RunController, type RunDependencies, type StartOptions } from './run-controller.ts';
import { RunProblems } from './run-problems.ts';
import { isRemembering } from './run-settings.ts';
import type { RunTarget } from './run-target.ts';
import { registerRunningStatus } from './running-status.ts';
import { memoryKeyOf } from './sending/prepared-run.ts';

export { historyScheme } from './sending/prepared-run.ts';

export interface RunsFeature extends DisposableLike {
  /** Fires when a sent run has ended. */
  readonly onDidEndRun: vscode.Event<RunRecord>;
  /** Rules lowered to hints for a statement because the service ran it. */
  readonly lowered: Pick<Disagreements, 'isLowered' | 'mayBeLowered'> & {
    readonly onDidChange: vscode.Event<void>;
  };
  /**
   * Moves a document's remembered parameters to its new saved query; if the document is a draft, moves its results too.
   */
  carryOver(made: MadeQuery): void;
  /** Lets the results of an open query follow its new URI. */
  noteMoved(from: vscode.Uri, to: vscode.Uri): void;
  /** Shows the results of saved queries under the queries' current names. */
  followNames(): void;
  /** Runs a document without opening it in an editor; asks for values only if the given ones are invalid. */
  run(
    document: vscode.TextDocument,
    options?: {
      readonly values?: Readonly<Record<string, RememberedValue>> | undefined;
      readonly isNew?: boolean;
      /** Whether the user chose the connection for this run. */
      readonly isChosenHere?: boolean;
    },
  ): Promise<Result>;
  valueSets(document: vscode.TextDocument): readonly ValueSet[];
}

export function registerRuns(deps: RunsDependencies): RunsFeature {
  const { context, log, results } = deps;
  const disposables = new DisposableStore();
  const flash = disposables.add(new Flash());
  const problems = disposables.add(new RunProblems());
  const memory = new ParameterMemory(context.globalState, isRemembering);
  const ended = disposables.add(new vscode.EventEmitter<RunRecord>());
  const lowered = disposables.add(new vscode.EventEmitter<void>());
  const disagreements = new Disagreements(context.workspaceState, () => lowered.fire());
  const closing = new AbortController();
  disposables.add({ dispose: () => closing.abort() });
  const controllers = new WeakMap<Result, RunController>();
  const acceptedFunctions = new AcceptedFunctions(context.globalState);
  const run: RunDependencies = {
    ...deps,
    memory,
    offered: new OfferedValues(log),
    problems,
    disagreements,
    acceptedFunctions,
    elsewhere: new QueriesElsewhere(context.workspaceState),
    closing: closing.signal,
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
    { document, selection }: RunTarget,
    options: StartOptions & { readonly isNew?: boolean } = {},
  ) => {
    const header = { title: deps.describe(document).title, parameters: [] };
    const result = results.resultFor(document.uri.toString(), header, { isNew: options.isNew === true });
    const { asks, values, isChosenHere } = options;
    await controllerOf(result).start(document, selection, { asks, values, isChosenHere });
    return result;
  };
  new RunCommands(deps, { memory, groups, acceptedFunctions, start }).register(commandsIn(disposables, log));
  disposables.add(registerRunningStatus(results, log));
  let wasReached = false;
  const lookAtSession = () => {
    const { state, away } = deps.session;
    const name = state.kind === 'connected' && away === undefined ? state.profile.name : undefined;
    if (name !== undefined && !wasReached)
      for (const result of results.results) controllers.get(result)?.reconnected(name);
    wasReached = name !== undefined;
  };
  disposables.add(deps.session.onDidChangeState(lookAtSession));
  disposables.add(deps.session.onDidChangeReach(lookAtSession));
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
      groups.forget(uri.toString());
      if (isUntitled) memory.forgetDraft(uri.toString());
    }),
  );

  const followName = (result: Result) => {
    if (result.key === undefined) return;
    const own = vscode.Uri.parse(result.key);
    const now = deps.savedQueries.nowOf(own);
    if (now === undefined || now.uri.toString() === result.key) return;
    // A result has the new name at once, but follows the URI of an open document when that has moved.
    const isOpen = shownUris().has(result.key);
    if (!isOpen || result.header.title !== now.name)
      takeName(result, { uri: isOpen ? own : now.uri, name: now.name });
  };
  const takeName = (result: Result, now: { readonly uri: vscode.Uri; readonly name: string }) => {
    const controller = controllers.get(result);
    if (controller !== undefined) controller.noteNewName(now);
    else result.follow(now.uri.toString(), { ...result.header, title: now.name });
  };
  const followNames = () => {
    for (const result of results.results) followName(result);
  };
  // A result from before a reload has the name of that time.
  disposables.add(
    results.onDidChange((result) => {
      if (result.state.kind === 'restored') followName(result);
    }),
  );

  return {
    onDidEndRun: ended.event,
    lowered: {
      isLowered: (statement, code) => disagreements.isLowered(statement, code),
      mayBeLowered: (code) => disagreements.mayBeLowered(code),
      onDidChange: lowered.event,
    },
    carryOver: ({ from, record, isWhole }) => {
      const key = memoryKeyOf(deps, from);
      const warn = (error: unknown) => log.warn(`carrying over to a query failed: ${errorName(error)}`);
      void memory.carryOver(key, { connection: key.connection, query: record.query_id }).catch(warn);
      // Documents other than drafts stay open and keep their results.
      const uri = from.isUntitled && isWhole ? deps.savedQueries.uriOf(record.query_id) : undefined;
      if (uri === undefined) return;
      const own = results.results.filter((result) => result.key === from.uri.toString());
      void vscode.workspace.openTextDocument(uri).then((document) => {
        for (const result of own) controllers.get(result)?.follow(document);
      }, warn);
    },
    noteMoved: (from, to) => {
      for (const result of results.results) {
        // It may have followed the new name before its document was open.
        if (result.key !== from.toString() && result.key !== to.toString()) continue;
        const { name = result.header.title } = deps.savedQueries.nowOf(to) ?? {};
        takeName(result, { uri: to, name });
        const controller = controllers.get(result);
        // A tab that moved in the background has no document until it is shown.
        if (controller !== undefined)
          void vscode.workspace.openTextDocument(to).then(
            (document) => {
              if (result.key === to.toString()) controller.noteRenamed(document);
            },
            (error: unknown) => log.warn(`following a query failed: ${errorName(error)}`),
          );
      }
    },
    followNames,
    valueSets: (document) => memory.sets(memoryKeyOf(deps, document)),
    run: (document, { values, isNew = false, isChosenHere } = {}) =>
      start({ document, selection: new vscode.Selection(0, 0, 0, 0) }, { values, isNew, isChosenHere }),
    dispose: () => disposables.dispose(),
  };
}
