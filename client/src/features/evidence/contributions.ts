/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  resultsCopyEvidence: {
    id: 'identityQueries.results.copyEvidence',
    title: 'Copy as Evidence',
    palette: 'identityQueries.hasResults',
    menus: [
      { in: 'view/title', when: 'view == identityQueries.results', group: '2_evidence@1' },
      { in: 'editor/title', when: 'activeWebviewPanelId == identityQueries.result', group: '2_evidence@1' },
    ],
  },
  evidenceVerify: {
    id: 'identityQueries.evidence.verify',
    title: 'Verify Evidence...',
    menus: [
      { in: 'view/title', when: 'view == identityQueries.results', group: '2_evidence@2' },
      { in: 'editor/title', when: 'activeWebviewPanelId == identityQueries.result', group: '2_evidence@2' },
    ],
  },
} as const satisfies Contributions['commands'];
