/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { inTitle } from '#client/menu-places.ts';

export const commands = {
  libraryBrowse: {
    id: 'identityQueries.library.browse',
    title: 'Browse Query Library...',
    icon: '$(library)',
    menus: [inTitle('savedQueries', '2_queries@9')],
  },
  libraryAddToFolder: {
    id: 'identityQueries.library.addToFolder',
    title: 'Add Query Library to Folder...',
    palette: 'workspaceFolderCount > 0',
    icon: '$(new-folder)',
  },
  /** Accepts the document of a library query; otherwise uses the active editor's. */
  librarySaveToService: {
    id: 'identityQueries.library.saveToService',
    title: 'Add to Saved Queries...',
    icon: '$(cloud-upload)',
    palette: 'resourceScheme == identity-query-library',
    menus: [{ in: 'editor/title', when: 'resourceScheme == identity-query-library', group: 'navigation@1' }],
  },
} as const satisfies Contributions['commands'];
