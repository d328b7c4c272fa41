/** The commands that change data. */
import * as vscode from 'vscode';
import { commands, views, type CommandId } from '#client/contributions.ts';
import { connectedClient } from '#client/session/connected-client.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import { requireConnectionOfRows } from '#client/session/connection-of-rows.ts';
import { requireWritable } from '#client/session/read-only.ts';
import type { Session } from '#client/session/session.ts';
import {
  confirmation,
  given,
  index,
  instanceOf,
  object,
  optional,
  text,
  anything,
  either,
  unfit,
} from '#client/ui/arguments.ts';
import { reviewAction } from '#client/ui/connection-labels.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import type { RegisterCommand } from '#client/ui/register-command.ts';
import { mayDestroy } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import {
  isMembershipKind,
  isOver,
  isRepeatable,
  targetIdOf,
  type Confirmation,
  type Operation,
  type OperationKind,
} from '#core/changes/change.ts';
import type { PreviewedTarget } from '#core/changes/preview.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { allowChangesVariable } from '#core/connections/environment-connection.ts';
import { heldBack } from '#core/connections/folder-entry.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ReferencesResult, TextParams } from '#server/protocol.ts';
import type { RecordsFeature } from '../records/index.ts';
import type { ResultsFeature, SelectedRows } from '../results/index.ts';
import type { ChangeRuns } from './change-runs.ts';
import type { RowChange } from './from-rows.ts';
import type { Memberships } from './memberships.ts';

const operationCommands: readonly (readonly [CommandId, OperationKind])[] = [
  [commands.changesDisableAccount, 'disable-account'],
  [commands.changesRemoveAccountAccess, 'remove-account-access'],
  [commands.changesRemoveGroupAccess, 'remove-group-access'],
  [commands.changesAddMember, 'add-member'],
  [commands.changesRemoveMember, 'remove-member'],
];

/** Maximum number of targets at once; larger jobs need a migration tool. */
const targetsMax = 1_000;

/** Parses a confirmation: an ID or a row of the Activity view. */
const ofConfirmation = given(
  either(text, object({ id: text, index: optional(index), uri: optional(instanceOf(vscode.Uri)) })),
);
type OfConfirmation = Exclude<ReturnType<typeof ofConfirmation>, symbol>;

/** Returns what the columns of a query derive from. */
export type ChangesReferences = (text: TextParams) => Promise<ReferencesResult>;

interface ChangeCommandsDependencies {
  readonly session: Session;
  readonly names: ConnectionNames;
  readonly results: ResultsFeature;
  readonly records: RecordsFeature;
  readonly runs: ChangeRuns;
  readonly memberships: Memberships;
  readonly references: ChangesReferences;
}

export class ChangeCommands {
  readonly #deps: ChangeCommandsDependencies;

  constructor(deps: ChangeCommandsDependencies) {
    this.#deps = deps;
  }

  register(on: RegisterCommand): void {
    // The parser loads with the first change.
    for (const [id, kind] of operationCommands) on(id, [anything], (targets) => this.#change(kind, targets));
    on(commands.changesMake, [anything], (place) => this.#make(place));
    on(commands.changesOfSelection, [], () => this.#changeSelection());
    on(commands.changesOfRecord, [], () => this.#changeRecord());
    on(commands.changesStop, [ofConfirmation], (which) => this.#stop(which));
    on(commands.changesStopFollowing, [ofConfirmation], (which) => this.#stopFollowing(which));
    on(commands.changesCheckAgain, [ofConfirmation], (which) => this.#checkAgain(which));
    on(commands.changesOpenRecord, [ofConfirmation], (which) => this.#openRecord(which));
    on(commands.changesRepeat, [ofConfirmation], (which) => this.#repeat(which));
    on(commands.changesOpenJobById, [text], (id) => this.#openJob(id));
    on(commands.changesExport, [ofConfirmation], (which) => this.#export(which));
    on(commands.changesClear, [confirmation], (given) => this.#clear(given?.isConfirmed === true));
    on(commands.changesFocus, [], () => vscode.commands.executeCommand(`${views.activity}.focus`));
    on(commands.changesCurrent, [], () => this.#deps.runs.confirmations);
  }

  /**
   * Lets the user choose what to change.
   * @param place what the menu of the command belongs to: the editor of a record, or rows.
   */
  async #make(place: unknown): Promise<unknown> {
    if (place instanceof vscode.Uri) return await this.#changeRecord();
    if (isInRows(place)) return await this.#changeSelection();
    const { profile } = await connectedClient(this.#deps.session);
    await requireChanges(this.#deps.session, profile);
    const { operationWords } = await import('./change-labels.ts');
    const chosen = await showQuickPick(
      [
        ...operationCommands
          .filter(([, kind]) => this.#deps.memberships.areOffered || !isMembershipKind(kind))
          .map(([, operation]) => {
            const { title, effect } = operationWords(operation);
            return { label: title, detail: effect, make: () => this.#change(operation, undefined) };
          }),
        ...(this.#deps.results.hasSelection
          ? [{ label: vscode.l10n.t('Change Selected Records...'), make: () => this.#changeSelection() }]
          : []),
        ...(this.#deps.records.shown === undefined
          ? []
          : [{ label: vscode.l10n.t('Change This Record...'), make: () => this.#changeRecord() }]),
      ],
      { title: vscode.l10n.t('Make a Change'), matchOnDetail: true },
    );
    return await chosen?.make();
  }

  /**
   * @param taken the column that the IDs were taken from without a question.
   * @returns the ID of the confirmation; undefined if the user cancelled.
   */
  async #change(kind: OperationKind, targets: unknown, taken?: string): Promise<string | undefined> {
    const connection = await connectedClient(this.#deps.session);
    await requireChanges(this.#deps.session, connection.profile);
    const { askOperations, parseOperations } = await import('./ask-operations.ts');
    const given = parseOperations(kind, targets);
    const ofRows = given === undefined ? await this.#ofSelectedRows(kind, connection.profile) : undefined;
    if (ofRows === 'cancelled') return undefined;
    const operations = given ?? ofRows?.operations ?? (await askOperations(kind));
    if (operations === undefined || operations.length === 0) return undefined;
    requireFew(operations);
    const { previewTargets } = await import('#core/changes/preview.ts');
    const previewed = await withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking up the targets') },
      () => previewTargets(connection.client, operations),
    );
    const { confirmChange } = await import('./confirm.ts');
    const confirmed = await confirmChange(kind, previewed, {
      profile: connection.profile,
      taken: taken ?? ofRows?.taken,
    });
    if (confirmed === undefined) return undefined;
    const { state } = this.#deps.session;
    if (state.kind !== 'connected' || state.client !== connection.client) throw connectionChanged();
    return await this.#start(kind, confirmed, connection.profile);
  }

  /** Returns the change of the rows that the user selected, if they are the records that it changes. */
  async #ofSelectedRows(
    kind: OperationKind,
    { name }: ConnectionProfile,
  ): Promise<RowChange | 'cancelled' | undefined> {
    if (!this.#deps.results.hasSelection) return undefined;
    const rows = await this.#selectedRows();
    const { changeOfSuchRows } = await import('./from-rows.ts');
    const change = await changeOfSuchRows(kind, rows, await this.#aboutRows(rows, name));
    if (change === undefined) return 'cancelled';
    return change === 'other' || change.operations.length === 0 ? undefined : change;
  }

  /** @throws ExpectedError if the rows come from another connection: their IDs would be those of other records here. */
  async #selectedRows(): Promise<SelectedRows> {
    const rows = await this.#deps.results.selectedRows();
    requireConnectionOfRows(this.#deps, rows.connections);
    requireAllRead(rows);
    return rows;
  }

  async #aboutRows(rows: SelectedRows, connection: string) {
    const { ownIdColumn } = await import('./own-ids.ts');
    return {
      own: await ownIdColumn(rows, { references: this.#deps.references, connection }),
      identify: (globalId: string) => this.#deps.records.identify(globalId),
    };
  }

  async #start(
    kind: OperationKind,
    confirmed: readonly PreviewedTarget[],
    profile: ConnectionProfile,
  ): Promise<string> {
    const confirmation: Confirmation = {
      id: crypto.randomUUID(),
      kind,
      connectionKey: connectionKeyOf(profile),
      connection: profile.name,
      environment: profile.environment,
      clientId: profile.clientId,
      confirmedAt: Date.now(),
      targets: confirmed.map(({ operation, label }) => ({ operation, label, state: { kind: 'waiting' } })),
    };
    // The focus stays where the person works: the status bar says that a change runs, a notification how it ended.
    if (!(await this.#deps.runs.start(confirmation))) throw connectionChanged();
    return confirmation.id;
  }

  async #changeSelection(): Promise<unknown> {
    const { profile } = await connectedClient(this.#deps.session);
    await requireChanges(this.#deps.session, profile);
    const rows = await this.#selectedRows();
    const { changeOfRows } = await import('./from-rows.ts');
    const change = await changeOfRows(rows, {
      ...(await this.#aboutRows(rows, profile.name)),
      hasMemberships: this.#deps.memberships.areOffered,
    });
    return change && (await this.#change(change.kind, change.operations, change.taken));
  }

  async #changeRecord(): Promise<unknown> {
    const { client, profile } = await connectedClient(this.#deps.session);
    await requireChanges(this.#deps.session, profile);
    const record = this.#deps.records.shown;
    if (record === undefined) {
      throw new ExpectedError(vscode.l10n.t('Open a record first.'), [
        {
          title: vscode.l10n.t('Open Record by Global ID...'),
          command: commands.openById,
          arguments: ['record'],
        },
      ]);
    }
    if (record.connectionKey !== connectionKeyOf(profile)) {
      throw new ExpectedError(
        vscode.l10n.t('This record belongs to another connection. Switch to that first.'),
      );
    }
    const { changeOfRecord } = await import('./of-record.ts');
    return await runChange(
      await changeOfRecord(client, record, { hasMemberships: this.#deps.memberships.areOffered }),
    );
  }

  #stop(which: OfConfirmation): void {
    const confirmation = this.#named(which) ?? this.#deps.runs.confirmations.find((one) => !isOver(one));
    if (confirmation !== undefined && !this.#deps.runs.stop(confirmation.id)) throw lookedAfterElsewhere();
  }

  async #stopFollowing(which: OfConfirmation): Promise<void> {
    const choices = await import('./choose-change.ts');
    const confirmation = this.#named(which) ?? (await choices.chooseOpen(this.#deps.runs.confirmations));
    if (confirmation !== undefined && !this.#deps.runs.stopFollowing(confirmation.id))
      throw lookedAfterElsewhere();
  }

  /** Reads the records of a change without a response. Never sends it again. */
  async #checkAgain(which: OfConfirmation): Promise<void> {
    const confirmation = this.#named(which);
    if (confirmation === undefined) return;
    await this.#requireConnection(confirmation);
    if (!(await this.#deps.runs.checkAgain(confirmation.id)))
      throw new ExpectedError(
        vscode.l10n.t('Another window is checking this change, or its outcome is known.'),
      );
  }

  async #openRecord(which: OfConfirmation): Promise<unknown> {
    const confirmation = this.#named(which);
    const target = confirmation?.targets[(typeof which === 'object' ? which.index : undefined) ?? 0];
    if (confirmation === undefined || target === undefined) return undefined;
    await this.#requireConnection(confirmation);
    return await vscode.commands.executeCommand(commands.recordOpenById, targetIdOf(target.operation));
  }

  /** Proposes a change again: it is looked up and confirmed like a new one. */
  async #repeat(which: OfConfirmation): Promise<unknown> {
    const confirmation = this.#named(which);
    const place = typeof which === 'object' ? which.index : undefined;
    const operations = (confirmation?.targets ?? []).flatMap(({ operation, state }, at) =>
      isRepeatable(state) && (place === undefined || place === at) ? [operation] : [],
    );
    if (confirmation === undefined || operations.length === 0) return undefined;
    await this.#requireConnection(confirmation);
    return await runChange({ kind: confirmation.kind, operations });
  }

  /** @throws ExpectedError if the confirmation belongs to another connection. */
  async #requireConnection({ connectionKey, connection }: Confirmation): Promise<void> {
    const { profile } = await connectedClient(this.#deps.session);
    if (connectionKeyOf(profile) === connectionKey) return;
    throw new ExpectedError(
      vscode.l10n.t('This change belongs to {0}. Connect to it, then try again.', connection),
      [{ title: vscode.l10n.t('Connect...'), command: commands.connectionConnect, arguments: [connection] }],
    );
  }

  async #clear(isConfirmed: boolean): Promise<void> {
    const finished = this.#deps.runs.confirmations.filter(isOver).length;
    if (finished === 0) throw new ExpectedError(vscode.l10n.t('There are no finished changes to clear.'));
    const clear = vscode.l10n.t('Clear');
    const isWanted =
      isConfirmed ||
      (await mayDestroy(
        finished === 1
          ? vscode.l10n.t('Clear 1 finished change?')
          : vscode.l10n.t('Clear {0} finished changes?', finished),
        {
          detail: vscode.l10n.t(
            'Their audit records can no longer be exported. Their targets stay as they are.',
          ),
          keep: vscode.l10n.t('Keep'),
          destroy: clear,
        },
      ));
    if (isWanted) await this.#deps.runs.clear();
  }

  async #openJob(id: string): Promise<string | undefined> {
    const { client } = await connectedClient(this.#deps.session);
    const { openJobById } = await import('./job-by-id.ts');
    return await openJobById(client, id);
  }

  async #export(which: OfConfirmation): Promise<vscode.Uri | undefined> {
    const choices = await import('./choose-change.ts');
    const confirmation =
      this.#named(which) ?? (await choices.chooseConfirmation(this.#deps.runs.confirmations));
    if (confirmation === undefined) return undefined;
    const { exportAudit } = await import('./export-audit.ts');
    return await exportAudit(confirmation, typeof which === 'object' ? which.uri : undefined);
  }

  #named(which: OfConfirmation): Confirmation | undefined {
    const id = typeof which === 'object' ? which.id : which;
    return this.#deps.runs.confirmations.find((confirmation) => confirmation.id === id);
  }
}

function isInRows(argument: unknown): boolean {
  return object({ webviewSection: text })(argument) !== unfit;
}

function connectionChanged(): ExpectedError {
  return new ExpectedError(
    vscode.l10n.t('The connection changed while you were deciding. Nothing was sent.'),
  );
}

function lookedAfterElsewhere(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('Another window is sending this change. Stop it there.'));
}

async function runChange(
  change: { readonly kind: OperationKind; readonly operations: readonly Operation[] } | undefined,
): Promise<unknown> {
  return change === undefined
    ? undefined
    : await vscode.commands.executeCommand(commandOf(change.kind), change.operations);
}

/** A row that is not read cannot be changed. */
function requireAllRead({ rows, isCut }: SelectedRows): void {
  if (isCut)
    throw new ExpectedError(
      vscode.l10n.t('Select fewer rows: a change reads at most {0}.', rowWords(rows.length)),
    );
}

function requireFew(operations: readonly Operation[]): void {
  if (operations.length > targetsMax) {
    throw new ExpectedError(
      vscode.l10n.t(
        '{0} targets are too many for one confirmation. Choose at most {1}.',
        operations.length,
        targetsMax,
      ),
    );
  }
}

function commandOf(kind: OperationKind): CommandId {
  const [id] = operationCommands.find((one) => one[1] === kind) ?? [];
  if (id === undefined) throw new RangeError(`no command for ${kind}`);
  return id;
}

/** @throws ExpectedError if changes are not allowed; its message explains how to allow them. */
async function requireChanges(session: Session, profile: ConnectionProfile): Promise<void> {
  await requireWritable(session);
  if (profile.allowChanges) return;
  if (heldBack(profile)?.allowChanges === true)
    throw new ExpectedError(
      vscode.l10n.t('Changes are off for {0}: the folder is not allowed to turn them on.', profile.name),
      [reviewAction(profile)],
    );
  if (profile.source !== 'settings')
    throw new ExpectedError(
      vscode.l10n.t(
        'Changes are off for {0}. Set {1} to 1 where the editor is started.',
        profile.name,
        allowChangesVariable,
      ),
    );
  // The form saves to the right settings on a remote machine, too.
  throw new ExpectedError(
    vscode.l10n.t(
      'Changes are off for {0}. To allow them, edit the connection and set "Data changes" to "Read and change data".',
      profile.name,
    ),
    [
      {
        title: vscode.l10n.t('Edit Connection...'),
        command: commands.connectionEdit,
        arguments: [profile.name],
      },
    ],
  );
}
