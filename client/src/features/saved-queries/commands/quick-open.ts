/** Quick open: searches the names, descriptions and text of all known queries, best match first, without blocking. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { locale } from '#client/ui/locale.ts';
import { createQuickPick, followMeant } from '#client/ui/shown/quick-picks.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { searchQueries, suggestQueries, type FoundQuery } from '#core/saved-queries/search-queries.ts';
import type { KnownQueries } from '../records/known-queries.ts';
import type { RememberedQueries } from '../records/remembered-queries.ts';

interface QueryItem extends vscode.QuickPickItem {
  readonly query?: KnownQuery;
}

/** Maximum number of rows in the list; users can type more words to find others. */
const limit = 100;
/** Maximum number of queries whose missing text is read while the list is open. */
const maxReads = 500;

export interface QuickOpenDependencies {
  readonly log: Logger;
  readonly known: KnownQueries;
  readonly remembered: RememberedQueries;
}

/** Returns the chosen query, or undefined if the user cancels. */
export async function quickOpen(deps: QuickOpenDependencies, title: string): Promise<KnownQuery | undefined> {
  const { known, remembered, log } = deps;
  const disposables = new DisposableStore();
  const stop = new AbortController();
  const pick = disposables.add(createQuickPick<QueryItem>());
  const meant = followMeant(pick);
  let search = 0;
  let isReading = false;
  /** The words that the list answers. */
  let answered = '';
  /** Set by an Enter that came before the answer to the words: the first query of the answer is meant. */
  let choose: ((query: KnownQuery) => void) | undefined;

  const suggest = () => {
    const queriesOf = (ids: readonly string[]) =>
      ids.map((id) => known.get(id)).filter((query) => query !== undefined);
    const recent = queriesOf(remembered.recent());
    const opened = new Set(remembered.recent());
    const favourites = queriesOf(remembered.favourites().filter((id) => !opened.has(id)));
    const first = [...recent, ...favourites];
    // A later heading replaces one without queries.
    const headings = new Map([
      [0, vscode.l10n.t('Recently Opened')],
      [recent.length, vscode.l10n.t('Favorites')],
      [first.length, vscode.l10n.t('Recently Changed')],
    ]);
    pick.items = suggestQueries(known.list(), first, limit).flatMap((query, index) => {
      const heading = headings.get(index);
      const item = itemOf({ query, line: undefined }, remembered);
      return heading === undefined
        ? [item]
        : [{ label: heading, kind: vscode.QuickPickItemKind.Separator }, item];
    });
    pick.title = title;
  };
  const look = async () => {
    search += 1;
    const mine = search;
    const words = pick.value;
    if (words.trim() === '') {
      suggest();
      answered = words;
      return;
    }
    const result = await searchQueries(known.list(), {
      words,
      textOf: (queryId) => known.textOf(queryId),
      limit,
      isCancelled: () => search !== mine || disposables.isDisposed,
    });
    if (result === undefined || search !== mine || disposables.isDisposed) return;
    const items: QueryItem[] = result.found.map((each) => itemOf(each, remembered));
    pick.items = items.length > 0 ? items : [nothingFound(known)];
    pick.title = titleWith(title, result);
    answered = words;
    const [first] = result.found;
    if (first !== undefined) choose?.(first.query);
    if (result.unknownTexts > 0 && !isReading) void readTexts();
  };
  /** Reads missing query text, then searches again. */
  const readTexts = async () => {
    isReading = true;
    pick.busy = true;
    try {
      const walk = known.withTexts({ signal: stop.signal, maxReads });
      while ((await walk.next()).done !== true) if (disposables.isDisposed) return;
      await look();
    } catch (error) {
      if (!stop.signal.aborted) log.warn(`reading texts to search failed: ${errorName(error)}`);
    } finally {
      if (!disposables.isDisposed) pick.busy = false;
    }
  };

  try {
    return await new Promise((resolve) => {
      pick.placeholder = vscode.l10n.t('Search in names, descriptions, models, authors and SQL');
      pick.matchOnDescription = true;
      pick.matchOnDetail = true;
      suggest();
      disposables.add(
        pick.onDidChangeValue(() => {
          choose = undefined;
          void look();
        }),
      );
      disposables.add(
        known.onDidChange((queryId) => {
          if (queryId === undefined) void look();
        }),
      );
      disposables.add(pick.onDidHide(() => resolve(undefined)));
      disposables.add(
        pick.onDidAccept(() => {
          const query = answered === pick.value ? meant()?.query : undefined;
          if (query !== undefined) {
            resolve(query);
            return;
          }
          choose = resolve;
          // Rows that take the focus meanwhile must not take the answer.
          pick.ignoreFocusOut = true;
        }),
      );
      pick.show();
    });
  } finally {
    stop.abort();
    disposables.dispose();
  }
}

function itemOf({ query, line }: FoundQuery, remembered: RememberedQueries): QueryItem {
  const detail = line ?? query.description ?? '';
  return {
    label: query.name,
    description: `v${query.version} \u00b7 ${query.model}`,
    ...(detail === '' ? {} : { detail }),
    iconPath: new vscode.ThemeIcon(remembered.isFavourite(query.query_id) ? 'star-full' : 'file-code'),
    // The items already match; the list's own filter would hide matches outside the labels.
    alwaysShow: true,
    query,
  };
}

function titleWith(
  title: string,
  result: { readonly found: readonly unknown[]; readonly count: number; readonly unknownTexts: number },
): string {
  const parts = [title];
  if (result.count > result.found.length)
    parts.push(
      vscode.l10n.t(
        '{0} of {1}',
        result.found.length.toLocaleString(locale()),
        result.count.toLocaleString(locale()),
      ),
    );
  if (result.unknownTexts > 0)
    parts.push(
      result.unknownTexts === 1
        ? vscode.l10n.t('1 text not searched')
        : vscode.l10n.t('{0} texts not searched', result.unknownTexts.toLocaleString(locale())),
    );
  return parts.join(' \u2014 ');
}

function nothingFound(known: KnownQueries): QueryItem {
  const label =
    known.state.kind === 'loading'
      ? vscode.l10n.t('Nothing found yet: the list is still being read.')
      : vscode.l10n.t('No saved query contains all of these words.');
  return { label, alwaysShow: true };
}
