/** The library as a searchable list that shows whether queries fit the connection, updated while models load. */
import * as vscode from 'vscode';
import { answerTo } from '#client/ui/answer-to.ts';
import { createQuickPick, followMeant } from '#client/ui/shown/quick-picks.ts';
import type { FitReport } from '#core/packs/fit.ts';
import type { Pack } from '#core/packs/read-pack.ts';
import {
  fitOfQuery,
  searchLibrary,
  topicOf,
  type LibraryQuery,
  type QueryFit,
} from '#core/packs/search-pack.ts';
import { factsLine } from './facts-line.ts';

export type LibraryChoice =
  | { readonly kind: 'open' | 'save'; readonly query: LibraryQuery }
  | { readonly kind: 'add' };

interface LibraryItem extends vscode.QuickPickItem {
  readonly choice?: LibraryChoice;
}

export interface LibraryPicks {
  /** The pack that fits the connection; another one once its models are known. */
  readonly shelf: () => {
    readonly pack: Pack;
    readonly queries: readonly LibraryQuery[];
    readonly fit: FitReport | undefined;
  };
  readonly onDidChangeFit: vscode.Event<unknown>;
}

const severityIcons: ReadonlyMap<string, string> = new Map([
  ['critical', 'error'],
  ['high', 'warning'],
  ['medium', 'info'],
]);

/** Returns the user's choice, or undefined if the user cancels. */
export async function pickFromLibrary(picks: LibraryPicks): Promise<LibraryChoice | undefined> {
  const picker = createQuickPick<LibraryItem>();
  const meant = followMeant(picker);
  const save: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('cloud-upload'),
    tooltip: vscode.l10n.t('Add to Saved Queries...'),
  };
  let shelf = picks.shelf();
  const fill = () => {
    const { pack, queries, fit } = shelf;
    const { title } = pack.manifest;
    picker.title = fit === undefined ? title : `${title}: ${summaryOf(fit)}`;
    picker.items = itemsOf(searchLibrary(queries, picker.value), fit, save, picker.value === '');
  };
  return await answerTo<LibraryChoice>(picker, (resolve, disposables) => {
    picker.placeholder = vscode.l10n.t('Search titles, tags, severities, descriptions and columns');
    fill();
    picker.onDidChangeValue(fill);
    disposables.add(
      picks.onDidChangeFit(() => {
        shelf = picks.shelf();
        fill();
      }),
    );
    const choose = (choice: LibraryChoice) => {
      resolve(choice);
      picker.hide();
    };
    picker.onDidTriggerItemButton(({ item: { choice } }) => {
      if (choice !== undefined && choice.kind !== 'add') choose({ kind: 'save', query: choice.query });
    });
    picker.onDidAccept(() => {
      const choice = meant()?.choice;
      if (choice !== undefined) choose(choice);
    });
  });
}

function summaryOf(report: FitReport): string {
  return vscode.l10n.t('{0} of {1} fit your models', report.fitting.length, report.queries);
}

function itemsOf(
  queries: readonly LibraryQuery[],
  report: FitReport | undefined,
  save: vscode.QuickInputButton,
  isWhole: boolean,
): LibraryItem[] {
  const items: LibraryItem[] = [];
  if (isWhole)
    items.push({
      label: vscode.l10n.t('Add Library to Folder...'),
      description: vscode.l10n.t('run its controls in the Testing view'),
      iconPath: new vscode.ThemeIcon('new-folder'),
      choice: { kind: 'add' },
    });
  let topic: string | undefined;
  for (const query of queries) {
    if (topicOf(query) !== topic) {
      topic = topicOf(query);
      items.push({ label: topic, kind: vscode.QuickPickItemKind.Separator });
    }
    items.push(itemOf(query, fitOfQuery(report, query), save));
  }
  return items;
}

function itemOf(query: LibraryQuery, fit: QueryFit, save: vscode.QuickInputButton): LibraryItem {
  const { control } = query;
  return {
    label: control === undefined ? query.query.name : `${control.id} ${control.title}`,
    description: factsLine(control, fitWords(fit)),
    detail: detailOf(query),
    iconPath: new vscode.ThemeIcon(severityIcons.get(control?.severity ?? '') ?? 'circle-outline'),
    // The search covers the whole text, but only a part is shown.
    alwaysShow: true,
    buttons: [save],
    choice: { kind: 'open', query },
  };
}

function detailOf({ query, control, columns }: LibraryQuery): string {
  const tables = [...new Set(columns.map((column) => column.split('.').slice(0, 2).join('.')))];
  const reads = tables.length === 0 ? '' : vscode.l10n.t('Reads {0}.', tables.join(', '));
  return `${control?.finds ?? query.description} ${reads}`.trim();
}

const namesMax = 3;

function fitWords(fit: QueryFit): string {
  switch (fit.kind) {
    case 'fits':
      return vscode.l10n.t('fits');
    case 'unknown':
      return vscode.l10n.t('fit unknown');
    case 'lacks': {
      const names = fit.names.slice(0, namesMax).join(', ');
      return fit.names.length > namesMax
        ? vscode.l10n.t('lacks {0} and {1} more', names, fit.names.length - namesMax)
        : vscode.l10n.t('lacks {0}', names);
    }
    default:
      return fit satisfies never;
  }
}
