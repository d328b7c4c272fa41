/** Prompts for a collection's filter: an application instance, and a time window for activities. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { limits } from '#api/contract/limits.ts';
import { identityModel, type CollectionId } from '#api/contract/tables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { isSingular } from '#base/translate.ts';
import { isUuid } from '#base/values/uuid.ts';
import { locale } from '#client/ui/locale.ts';
import { promptSteps } from '#client/ui/prompt-steps.ts';
import { createQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ownQuery } from '#core/policy/send-query.ts';
import { parseMoment, windowProblem, type ActivityWindow } from '#core/records/activity-window.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { readRows } from '#core/runs/rows-in-memory.ts';

/** Selects the instances that have accounts, largest first, with their names from activities. */
const instancesQuery = `SELECT a.id, a.n, names.name
FROM (
  SELECT object_metadata ->> 'ApplicationInstanceId' AS id, count(*) AS n FROM accounts GROUP BY 1
) AS a
LEFT JOIN (
  SELECT global_affected_object_id AS id, min(analytics_affected_object_name) AS name FROM activities GROUP BY 1
) AS names ON names.id = a.id
ORDER BY a.n DESC
LIMIT 500`;

/** Returns undefined if the user cancels. */
export async function askFilter(
  collection: CollectionId,
  deps: { readonly client: ServiceClient; readonly log: Logger },
): Promise<RecordsFilter | undefined> {
  const instance = await askInstance(collection, deps);
  if (instance === undefined) return undefined;
  const filter: RecordsFilter = instance.id === undefined ? {} : { applicationInstanceId: instance.id };
  if (collection !== 'activities') return filter;
  const window = await askWindow();
  return window === undefined ? undefined : { ...filter, window };
}

interface InstanceItem extends vscode.QuickPickItem {
  readonly id: string | undefined;
}

async function askInstance(
  collection: CollectionId,
  { client, log }: { readonly client: ServiceClient; readonly log: Logger },
): Promise<{ readonly id: string | undefined } | undefined> {
  const all: InstanceItem = { label: vscode.l10n.t('All application instances'), id: undefined };
  const picker = createQuickPick<InstanceItem>();
  const controller = new AbortController();
  let known: readonly InstanceItem[] = [];
  const draw = () => {
    const typed = picker.value.trim();
    const isNew = isUuid(typed) && !known.some(({ id }) => id === typed.toLowerCase());
    picker.items = [
      ...(isNew ? [{ label: typed.toLowerCase(), id: typed.toLowerCase(), alwaysShow: true }] : []),
      all,
      ...known,
    ];
  };
  picker.title = vscode.l10n.t('{0}: Application Instance', collectionWords(collection).many);
  picker.placeholder = vscode.l10n.t('Choose an application instance, or type its ID (a UUID)');
  picker.matchOnDescription = true;
  picker.busy = true;
  draw();
  picker.show();
  const loading = readRows(
    client,
    ownQuery(),
    { query_string: instancesQuery, model: identityModel },
    { signal: controller.signal },
  )
    .then((page) => {
      known = page.rows.flatMap(([id, accounts, name]) => {
        if (typeof id !== 'string') return [];
        const hasName = typeof name === 'string' && name !== '';
        const count = Number(accounts);
        const detail = vscode.l10n.t(
          isSingular(count, locale()) ? '{0} account' : '{0} accounts',
          count.toLocaleString(locale()),
        );
        return [{ id, label: hasName ? name : id, description: hasName ? id : '', detail }];
      });
      draw();
    })
    .catch((error: unknown) => {
      // The user can still type an ID.
      if (!controller.signal.aborted) log.warn(`application instances are not known: ${errorName(error)}`);
    })
    .finally(() => (picker.busy = false));
  try {
    return await new Promise<{ readonly id: string | undefined } | undefined>((resolve) => {
      picker.onDidChangeValue(draw);
      picker.onDidAccept(() => {
        const [chosen] = picker.selectedItems;
        if (chosen !== undefined) resolve({ id: chosen.id });
      });
      picker.onDidHide(() => resolve(undefined));
    });
  } finally {
    controller.abort();
    await loading;
    picker.dispose();
  }
}

/** The service's default window. */
const usual = { from: `${limits.activityWindowDefaultDays}d`, to: 'now' };

/** Returns undefined if the user cancels. */
async function askWindow(): Promise<ActivityWindow | undefined> {
  let from = Number.NaN;
  const notATime = vscode.l10n.t(
    'A date such as 2026-11-01, optionally with a time, "today", "now", or "7d" for seven days ago.',
  );
  const answers = await promptSteps(
    vscode.l10n.t('Activities: Time Window'),
    [
      {
        prompt: vscode.l10n.t('From, inclusive'),
        placeholder: usual.from,
        validate: (text) => {
          from = parseMoment(text, Date.now()) ?? Number.NaN;
          return Number.isNaN(from) ? notATime : undefined;
        },
      },
      {
        prompt: vscode.l10n.t('To, exclusive'),
        placeholder: usual.to,
        validate: (text) => {
          const to = parseMoment(text, Date.now());
          return to === undefined ? notATime : wordsOf(windowProblem({ from, to }));
        },
      },
    ],
    { answers: [usual.from, usual.to] },
  );
  if (answers === undefined) return undefined;
  const now = Date.now();
  return { from: parseMoment(answers[0] ?? '', now) ?? now, to: parseMoment(answers[1] ?? '', now) ?? now };
}

function wordsOf(problem: ReturnType<typeof windowProblem>): string | undefined {
  switch (problem) {
    case undefined:
      return undefined;
    case 'empty':
      return vscode.l10n.t('The end is before the start. Go back to change the start.');
    case 'too-long':
      return vscode.l10n.t(
        'A window can span at most {0} days. Choose a shorter one, then use Previous Window.',
        limits.activityWindowMaxDays,
      );
    default:
      return problem satisfies never;
  }
}
