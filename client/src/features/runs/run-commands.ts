/** The run commands. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import {
  confirmation,
  either,
  given,
  nothing,
  object,
  optional,
  recordOf,
  text,
} from '#client/ui/arguments.ts';
import { chooseCommand } from '#client/ui/choose-command.ts';
import type { RegisterCommand } from '#client/ui/register-command.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ParameterMemory } from '#core/parameters/memory.ts';
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';
import type { AcceptedFunctions } from '#core/policy/accepted-functions.ts';
import type { Result } from '../results/index.ts';
import type { RunsDependencies } from './dependencies.ts';
import { findStatement } from './find-statement.ts';
import { forgetAcceptedFunctions } from './forget-accepted.ts';
import type { GroupRuns } from './group-runs.ts';
import { place, queryInView, target, targetOf, type RunTarget, type Target } from './run-target.ts';
import { isBusy } from './running-status.ts';
import { memoryKeyOf } from './sending/prepared-run.ts';
import { pickValueSets } from './value-set-picks.ts';

/** Parses a saved query: a row of the view. */
const savedQuery = given(object({ queryId: text }));
/** Parses parameter values: text by name, null for NULL. */
const entered = optional(recordOf(either(text, nothing)));

export type StartRun = (
  target: RunTarget,
  options?: { readonly isNew?: boolean; readonly asks?: boolean },
) => Promise<Result>;

export class RunCommands {
  readonly #deps: RunsDependencies;
  readonly #memory: ParameterMemory;
  readonly #groups: GroupRuns;
  readonly #acceptedFunctions: AcceptedFunctions;
  readonly #start: StartRun;

  constructor(
    deps: RunsDependencies,
    own: {
      readonly memory: ParameterMemory;
      readonly groups: GroupRuns;
      readonly acceptedFunctions: AcceptedFunctions;
      readonly start: StartRun;
    },
  ) {
    this.#deps = deps;
    this.#memory = own.memory;
    this.#groups = own.groups;
    this.#acceptedFunctions = own.acceptedFunctions;
    this.#start = own.start;
  }

  register(on: RegisterCommand): void {
    on(commands.queryRun, [target], (what) => this.#run(what));
    on(commands.queryRunInNewResult, [target], async (what) =>
      this.#start(await targetOf(what), { isNew: true }),
    );
    on(commands.parametersEdit, [target, given(place)], async (what, at) => {
      await this.#start(await targetOf(what, at), { asks: true });
    });
    on(commands.queryRunAll, [target], async (what) => this.#groups.runAll((await targetOf(what)).document));
    on(commands.queryRunSeveralTimes, (...args) =>
      chooseCommand(
        vscode.l10n.t('Run Several Times'),
        [
          { label: vscode.l10n.t('With Value Sets'), command: commands.queryRunWithValueSets },
          { label: vscode.l10n.t('On Several Connections'), command: commands.queryRunOnSeveral },
        ],
        args,
      ),
    );
    on(commands.queryRunOnSeveral, [target], async (what) => {
      const { runOnSeveral } = await import('./run-on-several.ts');
      const found = await targetOf(what);
      const key = memoryKeyOf(this.#deps, found.document);
      await runOnSeveral(this.#deps, found, (name) => this.#memory.recent(key, name));
    });
    on(commands.queryRunWithValueSets, [target], (what) => this.#runWithValueSets(what));
    on(commands.savedQueryRun, [savedQuery], (query) => this.#runSavedQuery(query?.queryId));
    on(commands.parametersSubmit, [entered], (values) => this.#submit(values ?? {}));
    on(commands.parametersForget, [], () => this.#forgetAll());
    on(commands.parametersForgetQuery, [], () => this.#forgetOf());
    on(commands.functionsForget, [confirmation], (given) =>
      forgetAcceptedFunctions(
        this.#acceptedFunctions,
        this.#deps.connectionNameOf,
        given?.isConfirmed === true,
      ),
    );
    on(commands.runCancel, [], () => this.#cancel());
    on(commands.runAgain, [], () => this.#runAgain());
    on(commands.runAnyway, [], () => this.#runAnyway());
    on(commands.runGoToError, [], () => this.#goToError());
    on(commands.resultsCurrent, [], () => this.#current?.view());
  }

  get #current(): Result | undefined {
    return this.#deps.results.current(vscode.window.activeTextEditor?.document.uri.toString());
  }

  /** Runs the query in view. If there is none, the user chooses a saved query. */
  async #run(what: Target): Promise<void> {
    const isNoneInView =
      what === undefined &&
      this.#deps.session.state.kind === 'connected' &&
      (await queryInView()) === undefined;
    if (isNoneInView) await this.#runSavedQuery(undefined);
    else {
      // The list of suggestions would stay open over the query.
      void vscode.commands.executeCommand('hideSuggestWidget');
      await this.#start(await targetOf(what));
    }
  }

  async #runWithValueSets(what: Target): Promise<void> {
    const { document, selection } = await targetOf(what);
    await this.#deps.session.ready();
    const key = memoryKeyOf(this.#deps, document);
    if (this.#memory.sets(key).length === 0) {
      throw new ExpectedError(
        vscode.l10n.t(
          'This query has no value sets on this connection. Fill in its parameters and choose Save as Set.',
        ),
        [{ title: vscode.l10n.t('Edit Parameters'), command: commands.parametersEdit }],
      );
    }
    const sets = await pickValueSets(this.#memory, key);
    if (sets === undefined || sets.length === 0) return;
    const found = await findStatement(this.#deps, document, selection);
    if (found.kind === 'none') throw new ExpectedError(found.failure.message);
    await this.#groups.runWithSets(document, { ...found, sets });
  }

  /** @param queryId ID of the query; if undefined, the user chooses. */
  async #runSavedQuery(queryId: string | undefined): Promise<void> {
    this.#deps.session.requireClient();
    const { savedQueries } = this.#deps;
    const uri =
      queryId === undefined
        ? await savedQueries.pick(vscode.l10n.t('Run a Saved Query'))
        : savedQueries.uriOf(queryId);
    if (uri === undefined) {
      if (queryId === undefined) return;
      throw new ExpectedError(vscode.l10n.t('This saved query is unknown here. Refresh the list.'));
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await this.#start({ document, selection: new vscode.Selection(0, 0, 0, 0) });
  }

  #submit(values: Readonly<Record<string, string | null>>): void {
    const current = this.#current;
    if (current?.state.kind !== 'parameters')
      throw new ExpectedError(vscode.l10n.t('No parameter form is open.'));
    current.actions?.submit?.(enteredValues(values, current.state.fields));
  }

  async #forgetAll(): Promise<void> {
    await this.#memory.forgetAll();
    void showInformationMessage(
      vscode.l10n.t('The remembered parameter values of all queries were deleted. Named value sets remain.'),
    );
  }

  async #forgetOf(): Promise<void> {
    const { document } = await targetOf(undefined);
    const hadAny = await this.#memory.forget(memoryKeyOf(this.#deps, document));
    void showInformationMessage(
      hadAny
        ? vscode.l10n.t('The remembered parameter values of this query were deleted.')
        : vscode.l10n.t('No parameter values were remembered for this query.'),
    );
  }

  #cancel(): void {
    const current = this.#current;
    const isForm = current?.state.kind === 'parameters';
    const busy = isForm || isBusy(current) ? current : this.#deps.results.results.find(isBusy);
    if (busy === undefined) throw new ExpectedError(vscode.l10n.t('Nothing is running.'));
    busy.actions?.cancel();
  }

  #runAgain(): void {
    const actions = this.#current?.actions;
    if (actions === undefined) throw new ExpectedError(vscode.l10n.t('Nothing has run yet.'));
    actions.runAgain();
  }

  #runAnyway(): void {
    const current = this.#current;
    if (current?.state.kind !== 'question')
      throw new ExpectedError(vscode.l10n.t('No run is waiting for you.'));
    current.actions?.runAnyway?.();
  }

  #goToError(): void {
    const current = this.#current;
    const hasPlace = current !== undefined && failureOf(current)?.place !== undefined;
    if (!hasPlace)
      throw new ExpectedError(vscode.l10n.t('The last run has no error with a position in the query.'));
    current.actions?.goToError?.();
  }
}

/** Parameters that are not named keep their values from the form. */
function enteredValues(
  values: Readonly<Record<string, string | null>>,
  fields: readonly ParameterField[],
): readonly EnteredValue[] {
  const byName = new Map(Object.entries(values));
  return fields.map(({ name, text, isNull, isEmpty }) => {
    const value = byName.get(name);
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
