/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  querySelectModel: {
    id: 'identityQueries.query.selectModel',
    title: 'Select Model for This Query...',
    icon: '$(database)',
    palette: 'editorLangId == identity-sql',
  },
} as const satisfies Contributions['commands'];
