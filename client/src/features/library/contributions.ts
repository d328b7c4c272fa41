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
  /** Save as New in the document of a library query: under the name that the library gives it. */
  librarySaveToService: { id: '_identityQueries.library.saveToService' },
} as const satisfies Contributions['commands'];
