/** Prompts for a change's application or group: a choice from the service's data, or typed input. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, ContractError } from '#api/client/errors.ts';
import { identityModel } from '#api/contract/tables.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { OperationKind } from '#core/changes/change.ts';
import { ownQuery } from '#core/policy/send-query.ts';
import { readRows } from '#core/runs/rows-in-memory.ts';
import type { IdName } from './ask-operations.ts';
import { operationWords } from './change-words.ts';

interface Candidate {
  readonly id: string;
  readonly name: string;
  /** The service's name for the type, such as UserGroup. */
  readonly type: string;
}

const candidatesMax = 500;

/** Selects the applications that an account can access, with their names from activities. */
const assignedQuery = `SELECT a.id, coalesce(names.name, a.local) AS name, a.type
FROM (
  SELECT global_assigned_object_id AS id, min(assigned_object_id) AS local, min(assigned_object_type) AS type
  FROM entity_assigned_access_to_object WHERE global_entity_id = :account GROUP BY 1
) AS a
LEFT JOIN (
  SELECT global_affected_object_id AS id, min(analytics_affected_object_name) AS name FROM activities GROUP BY 1
) AS names ON names.id = a.id
ORDER BY 2
LIMIT ${candidatesMax}`;

/** Selects the entities other than accounts that have their own access. */
const groupsQuery = `SELECT global_entity_id, min(entity_id), min(entity_type)
FROM entity_assigned_access_to_object WHERE entity_type <> 'Account'
GROUP BY 1
ORDER BY 2
LIMIT ${candidatesMax}`;

/** Returns undefined if the user cancels. */
export async function chooseId(
  client: ServiceClient,
  kind: OperationKind,
  { name, account }: { readonly name: Exclude<IdName, 'account'>; readonly account: string },
): Promise<string | undefined> {
  const candidates = await withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: vscode.l10n.t('Loading choices'),
    },
    () => candidatesOf(client, kind, account),
  );
  const likely = name === 'application' ? /application/i : /group/i;
  const sorted = [...candidates].sort((a, b) => Number(likely.test(b.type)) - Number(likely.test(a.type)));
  const title = operationWords(kind).title;
  const type = { label: vscode.l10n.t('Another ID...'), id: undefined, alwaysShow: true };
  const items = sorted.map((one) => ({ label: one.name, description: one.type, detail: one.id, id: one.id }));
  const chosen = await showQuickPick([...items, type], {
    title,
    placeHolder: name === 'application' ? vscode.l10n.t('Which application?') : vscode.l10n.t('Which group?'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined || chosen.id !== undefined) return chosen?.id;
  const typed = await showInputBox({
    title,
    prompt: vscode.l10n.t('A global ID'),
    ignoreFocusOut: true,
    validateInput: (text) => (/^\S+$/.test(text.trim()) ? undefined : vscode.l10n.t('A global ID.')),
  });
  return typed?.trim();
}

async function candidatesOf(
  client: ServiceClient,
  kind: OperationKind,
  account: string,
): Promise<readonly Candidate[]> {
  const isGroups = kind === 'add-member';
  try {
    const { rows } = await readRows(client, ownQuery(), {
      query_string: isGroups ? groupsQuery : assignedQuery,
      model: identityModel,
      ...(isGroups ? {} : { parameters: { account } }),
    });
    return rows.flatMap(([id, name, type]) =>
      typeof id === 'string'
        ? [{ id, name: typeof name === 'string' ? name : id, type: typeof type === 'string' ? type : '' }]
        : [],
    );
  } catch (error) {
    // If these tables are missing, the user can still type an ID.
    if (error instanceof ApiError || error instanceof ContractError) return [];
    throw error;
  }
}
