/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

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
    menus: [
      { in: 'view/title', when: 'view == identityQueries.results', group: 'navigation@3' },
      { in: 'editor/title', when: 'activeWebviewPanelId == identityQueries.result', group: 'navigation@3' },
      { in: 'webview/context', when: "webviewSection == 'identityQueries.cells'", group: '4_show@3' },
    ],
  },
  resultsKeep: {
    id: 'identityQueries.results.keep',
    title: 'Keep Result for Comparison',
    palette: 'identityQueries.hasResults',
    menus: [
      { in: 'view/title', when: 'view == identityQueries.results', group: '3_compare@1' },
      { in: 'editor/title', when: 'activeWebviewPanelId == identityQueries.result', group: '3_compare@1' },
    ],
  },
  resultsForgetKept: {
    id: 'identityQueries.results.forgetKept',
    title: 'Forget Kept Results...',
    palette: 'identityQueries.hasResults || identityQueries.connection == connected',
    menus: [
      { in: 'view/title', when: 'view == identityQueries.results', group: '3_compare@2' },
      { in: 'editor/title', when: 'activeWebviewPanelId == identityQueries.result', group: '3_compare@2' },
    ],
  },
  comparisonChooseKeys: {
    id: 'identityQueries.comparison.chooseKeys',
    title: 'Choose Comparison Keys...',
    palette: 'identityQueries.hasResults',
  },
  comparisonChooseColumns: {
    id: 'identityQueries.comparison.chooseColumns',
    title: 'Set Columns to Compare...',
    palette: 'identityQueries.hasResults',
  },
  comparisonSwap: {
    id: 'identityQueries.comparison.swap',
    title: 'Swap Sides of Comparison',
    palette: 'identityQueries.hasResults',
  },
  comparisonCopySummary: {
    id: 'identityQueries.comparison.copySummary',
    title: 'Copy Comparison as Markdown',
    palette: 'identityQueries.hasResults',
  },
  /** Runs two versions of a saved query and compares their rows; accepts a row of the view. */
  savedQueryCompareResults: {
    id: 'identityQueries.savedQuery.compareResults',
    title: 'Compare Rows Between Versions...',
    palette: 'resourceScheme =~ /^identity-query(-version)?$/',
    shortTitle: 'Compare Results...',
    menus: [
      {
        in: 'view/item/context',
        when: 'view == identityQueries.savedQueries && viewItem =~ /\\bsavedQuery\\b/',
        group: '2_compare@4',
      },
      {
        in: 'view/item/context',
        when: 'view == identityQueries.savedQueries && viewItem =~ /\\bqueryVersion\\b/ && !(viewItem =~ /\\bnewest\\b/)',
        group: '2_compare@4',
      },
    ],
  },
} as const satisfies Contributions['commands'];
