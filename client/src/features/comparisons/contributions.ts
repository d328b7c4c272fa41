/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { onRows, overRows } from '#client/menu-places.ts';

export const commands = {
  /**
   * Compares the current result with another. Accepts `{ with, load, keys, ignored }` (see
   * features/comparisons/compare-request.ts).
   */
  resultsCompare: {
    id: 'identityQueries.results.compare',
    title: 'Compare Results...',
    palette: 'identityQueries.hasResults',
    icon: '$(diff)',
    menus: overRows('3_compare@0'),
  },
  /** Compares the current result with one that `-- @keep` kept. */
  resultsChangedSince: {
    id: 'identityQueries.results.changedSince',
    title: 'What Changed Since...',
    palette: 'identityQueries.hasResults',
    menus: overRows('3_compare@1'),
  },
  resultsKeep: {
    id: 'identityQueries.results.keep',
    title: 'Keep Result for Comparison',
    palette: 'identityQueries.hasResults',
    menus: overRows('3_compare@2'),
  },
  resultsForgetKept: { id: '_identityQueries.results.forgetKept' },
  /** Offers what the buttons over a comparison do. */
  comparisonChange: {
    id: 'identityQueries.comparison.change',
    title: 'Change or Copy Comparison...',
    palette: 'identityQueries.hasComparison',
  },
  comparisonChooseKeys: { id: '_identityQueries.comparison.chooseKeys' },
  comparisonChooseColumns: { id: '_identityQueries.comparison.chooseColumns' },
  comparisonSwap: { id: '_identityQueries.comparison.swap' },
  comparisonCopySummary: { id: '_identityQueries.comparison.copySummary' },
  /** Runs two versions of a saved query and compares their rows; accepts a row of the view. */
  savedQueryCompareResults: {
    id: 'identityQueries.savedQuery.compareResults',
    title: 'Compare Results...',
    category: 'Saved Query',
    palette: 'resourceScheme =~ /^identity-query(-version)?$/',
    menus: [
      ...onRows('savedQueries', /\bsavedQuery\b/, ['2_compare@4']),
      ...onRows('savedQueries', /\bqueryVersion\b/, ['2_compare@4'], '!(viewItem =~ /\\bnewest\\b/)'),
    ],
  },
} as const satisfies Contributions['commands'];

export const contextKeys = {
  /** Whether a comparison of two results is open. */
  hasComparison: 'identityQueries.hasComparison',
} as const satisfies Contributions['contextKeys'];
