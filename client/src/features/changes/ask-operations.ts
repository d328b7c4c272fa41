/** Determines the targets of a change, from the command's argument or by asking the user. */
import * as vscode from 'vscode';
import { object, text, unfit } from '#client/ui/arguments.ts';
import { promptSteps, type Step } from '#client/ui/prompt-steps.ts';
import type { Operation, OperationKind } from '#core/changes/change.ts';
import { operationWords } from './change-labels.ts';

/** The global IDs required for each kind of change, in prompt order. */
const needs = {
  'disable-account': ['account'],
  'remove-account-access': ['application', 'account'],
  'remove-group-access': ['application', 'group'],
  'add-member': ['group', 'account'],
  'remove-member': ['group', 'account'],
} as const satisfies Record<OperationKind, readonly IdName[]>;

export type IdName = 'account' | 'application' | 'group';

export function idsNeeded(kind: OperationKind): readonly IdName[] {
  return needs[kind];
}

/** Parses one set of IDs or a list; returns undefined if any is invalid or incomplete. */
export function parseOperations(kind: OperationKind, argument: unknown): readonly Operation[] | undefined {
  if (argument === undefined || argument === null) return undefined;
  const list: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
  const operations = list.map((item) => operationOf(kind, item));
  return operations.every((operation) => operation !== undefined) ? unique(operations) : undefined;
}

/** Returns undefined if the user cancels. */
export async function askOperations(kind: OperationKind): Promise<readonly Operation[] | undefined> {
  const steps = needs[kind].map((name): Step => ({
    prompt: promptOf(name, name === needs[kind].at(-1)),
    validate: (text) =>
      idsIn(text).length === 0
        ? vscode.l10n.t('A global ID, for example from a global_id column.')
        : undefined,
  }));
  const answers = await promptSteps(operationWords(kind).title, steps);
  if (answers === undefined) return undefined;
  // The last prompt accepts several values, each combined with the earlier IDs.
  const [first = '', second] = answers;
  const lists =
    second === undefined
      ? idsIn(first).map((id) => [id])
      : idsIn(second).map((id) => [idsIn(first)[0] ?? '', id]);
  return unique(
    lists.flatMap((ids) => {
      const operation = operationOf(
        kind,
        Object.fromEntries(needs[kind].map((name, index) => [name, ids[index]])),
      );
      return operation === undefined ? [] : [operation];
    }),
  );
}

function promptOf(name: IdName, isLast: boolean): string {
  return {
    account: isLast
      ? vscode.l10n.t('Global ID of the account; separate several with commas or spaces')
      : vscode.l10n.t('Global ID of the account'),
    application: vscode.l10n.t('Global ID of the assigned application'),
    group: isLast
      ? vscode.l10n.t('Global ID of the group; separate several with commas or spaces')
      : vscode.l10n.t('Global ID of the group'),
  }[name];
}

function idsIn(text: string): readonly string[] {
  return text.split(/[\s,;'"]+/).filter((id) => id !== '');
}

function operationOf(kind: OperationKind, value: unknown): Operation | undefined {
  const ids = object(Object.fromEntries(needs[kind].map((name) => [name, text])))(value);
  if (ids === unfit || Object.values(ids).includes('')) return undefined;
  return { kind, ...ids } as Operation; // `needs` lists the members of each kind
}

/** Removes duplicate changes to the same target. */
function unique(operations: readonly Operation[]): readonly Operation[] {
  return [...new Map(operations.map((operation) => [JSON.stringify(operation), operation])).values()];
}
