/** Running queries: the commands, and one controller for each result. */
import * as vscode from 'vscode';
import type { StatementsResult } from '../../../../server/src/protocol.ts';
import { languageId } from '../../../../server/src/protocol.ts';
import { commands, contextKeys, settings, settingsSection } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import type { Result, ResultsFeature } from '../results/index.ts';
import { Flash } from './flash.ts';
import { ParameterMemory } from './parameters/memory.ts';
import { RunController, type RunDependencies, type RunDescription } from './run-controller.ts';
import { RunProblems } from './run-problems.ts';

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
  readonly describe: (document: vscode.TextDocument) => RunDescription;
}

export interface RunsFeature extends DisposableLike {
  /** Runs the first statement of a document that need not be shown, with its rows where results are shown. */
  readonly run: (document: vscode.TextDocument) => Promise<void>;
}

export function registerRuns(deps: RunsDependencies): RunsFeature {
  const { log, results } = deps;
  const disposables = new DisposableStore();
  const flash = disposables.add(new Flash());
  const problems = disposables.add(new RunProblems());
  const isRemembering = () =>
    vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.runRememberParameters) !== false;
  const memory = new ParameterMemory(deps.context.globalState, isRemembering);
  const controllers = new WeakMap<Result, RunController>();
  const run: RunDependencies = {
    ...deps,
    memory,
    problems,
    flash: (document, range) => flash.show(document, range),
  };

  const runActive = async (isNew: boolean, argument?: unknown) => {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== languageId) {
      throw new ExpectedError(vscode.l10n.t('Open a query first: there is nothing to run here.'), [
        { title: vscode.l10n.t('New Query'), command: commands.queryNew },
      ]);
    }
    const { document } = editor;
    await start(document, startOf(argument, document) ?? editor.selection, isNew);
  };
  const start = async (document: vscode.TextDocument, selection: vscode.Selection, isNew: boolean) => {
    const header = { title: deps.describe(document).title, parameters: [] };
    const result = results.resultFor(document.uri.toString(), header, { isNew });
    const controller = controllers.get(result) ?? new RunController(run, result, document, selection);
    controllers.set(result, controller);
    await controller.start(document, selection);
  };
  disposables.add(registerCommand(log, commands.queryRun, (argument) => runActive(false, argument)));
  disposables.add(registerCommand(log, commands.queryRunInNewResult, () => runActive(true)));
  disposables.add(
    registerCommand(log, commands.parametersForget, async () => {
      await memory.forgetAll();
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The remembered parameter values of all queries are gone.'),
      );
    }),
  );
  disposables.add(
    registerCommand(log, commands.runCancel, () => {
      const current = results.current(activeKey());
      const busy = isBusy(current) ? current : results.results.find(isBusy);
      if (busy === undefined) throw new ExpectedError(vscode.l10n.t('Nothing is running.'));
      busy.actions?.cancel();
    }),
  );
  disposables.add(
    registerCommand(log, commands.runAgain, () => {
      const current = results.current(activeKey());
      if (current?.actions === undefined) throw new ExpectedError(vscode.l10n.t('Nothing was run yet.'));
      current.actions.runAgain();
    }),
  );
  disposables.add(registerCommand(log, commands.resultsCurrent, () => results.current(activeKey())?.view()));

  let wasRunning = false;
  disposables.add(
    results.onDidChange(() => {
      const isRunning = results.results.some(isBusy);
      if (isRunning === wasRunning) return;
      wasRunning = isRunning;
      void vscode.commands.executeCommand('setContext', contextKeys.isRunning, isRunning);
    }),
  );
  return {
    run: (document) => start(document, new vscode.Selection(0, 0, 0, 0), false),
    dispose: () => disposables.dispose(),
  };
}

/** Where the statement begins that a code lens names: `{ uri, range }`, as the server wrote it. */
function startOf(argument: unknown, document: vscode.TextDocument): vscode.Selection | undefined {
  const start = field(field(argument, 'range'), 'start');
  const uri = field(argument, 'uri');
  const line = field(start, 'line');
  const character = field(start, 'character');
  const isHere = typeof uri === 'string' && vscode.Uri.parse(uri).toString() === document.uri.toString();
  if (!isHere || typeof line !== 'number' || typeof character !== 'number') return undefined;
  return new vscode.Selection(line, character, line, character);
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key] // read as unknown
    : undefined;
}

function activeKey(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.toString();
}

function isBusy(result: Result | undefined): result is Result {
  return result?.tab().status === 'busy';
}
