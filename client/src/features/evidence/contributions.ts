/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { overRows } from '#client/menu-places.ts';

export const commands = {
  resultsCopyEvidence: {
    id: 'identityQueries.results.copyEvidence',
    title: 'Copy as Evidence',
    palette: 'identityQueries.hasResults',
    menus: [...overRows('2_evidence@1'), { in: 'identityQueries.menu.copyAs', group: '2_evidence@1' }],
  },
  evidenceVerify: {
    id: 'identityQueries.evidence.verify',
    title: 'Verify Evidence...',
    menus: overRows('2_evidence@2'),
  },
} as const satisfies Contributions['commands'];
