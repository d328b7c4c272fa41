/** Prompts for the other side of a comparison, with all candidates in one list. */
import * as vscode from 'vscode';
import { ageText } from '#base/words/age-text.ts';
import { momentText } from '#base/words/moment-text.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { ValueSet } from '#core/parameters/memory.ts';
import { versionTitle } from '#core/runs/run-title.ts';
import type { Result } from '../results/index.ts';
import type { SeenVersion } from '../saved-queries/index.ts';
import type { OtherSide } from './compare-request.ts';
import type { KeptResult } from './kept-results-store.ts';
import { likeResultsFirst } from './like-results.ts';

export interface OtherSides {
  readonly open: readonly Result[];
  readonly kept: readonly KeptResult[];
  readonly versions: readonly SeenVersion[];
  readonly valueSets: readonly ValueSet[];
  readonly canSwitchConnection: boolean;
}

interface OtherItem extends vscode.QuickPickItem {
  readonly other?: OtherSide;
}

/** Returns undefined if the user cancels. */
export async function pickOtherSide(base: Result, sides: OtherSides): Promise<OtherSide | undefined> {
  const items: OtherItem[] = [
    // Kept for this very purpose.
    ...group(
      vscode.l10n.t('kept results'),
      [...sides.kept]
        // Results of the same query are the most likely choice.
        .sort((a, b) => Number(b.key === base.key) - Number(a.key === base.key))
        .map(({ id, words, keptAt }) => ({
          label: words.title,
          iconPath: new vscode.ThemeIcon('archive'),
          description: ageText(keptAt, Date.now(), vscode.env.language),
          detail: words.facts.join(' · '),
          other: { kind: 'kept', id },
        })),
    ),
    ...group(
      vscode.l10n.t('open results'),
      likeResultsFirst(base, sides.open).map((result) => openItem(result)),
    ),
    ...group(vscode.l10n.t('run now and compare'), [
      ...sides.versions.map(({ version, at }) => ({
        label: vscode.l10n.t('Version {0}', version),
        iconPath: new vscode.ThemeIcon('history'),
        ...(at === undefined ? {} : { description: momentText(at) }),
        detail: vscode.l10n.t('With the same parameter values'),
        other: { kind: 'version', version } as const,
      })),
      ...sides.valueSets.map(({ name }) => ({
        label: name,
        iconPath: new vscode.ThemeIcon('symbol-parameter'),
        description: vscode.l10n.t('value set'),
        other: { kind: 'valueSet', name } as const,
      })),
      ...(sides.canSwitchConnection
        ? [
            {
              label: vscode.l10n.t('Another Connection...'),
              iconPath: new vscode.ThemeIcon('plug'),
              detail: vscode.l10n.t('Connects there, runs the same query, and switches back'),
              other: { kind: 'connection', name: undefined } as const,
            },
          ]
        : []),
    ]),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('A File...'),
      iconPath: new vscode.ThemeIcon('file'),
      detail: vscode.l10n.t('An earlier export: CSV, TSV, JSON Lines or JSON'),
      other: { kind: 'file', path: '' },
    },
  ];
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Compare "{0}" With', versionTitle(base.header)),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.other;
}

function group(label: string, items: readonly OtherItem[]): OtherItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function openItem({ id, header, state }: Result): OtherItem {
  const rows = state.kind === 'rows' ? rowWords(state.rowCount) : undefined;
  const facts = [header.connection, header.part, rows];
  const when = state.kind === 'rows' ? ageText(state.finishedAt, Date.now(), vscode.env.language) : '';
  return {
    label: versionTitle(header),
    iconPath: new vscode.ThemeIcon('table'),
    description: [when, ...facts].filter((fact) => fact !== undefined && fact !== '').join(' · '),
    detail: header.parameters
      .map(
        ({ name, text, isSecret, isNull }) =>
          `:${name} = ${isSecret === true ? '•••' : isNull ? 'NULL' : text}`,
      )
      .join(', '),
    other: { kind: 'result', id },
  };
}
