/** What this feature contributes to the editor; `npm run manifest` makes the manifest of it. */
import type { Contributions } from '../../contribution-types.ts';

/** What a message of a failed control is, for the menus of the Testing view. */
export const controlMessage = 'identityQueries.control';

const ofControl = 'testing.testItemHasUri && controllerId == identityQueries.controls';
const inMessage = `testMessage == ${controlMessage}`;
const inEditor = 'editorLangId == identity-sql';

export const commands = {
  /** Takes a control of the Testing view, an address, else the query in the active editor. */
  controlShowRows: {
    id: 'identityQueries.control.showRows',
    title: 'Show Rows of Control',
    icon: '$(table)',
    palette: inEditor,
    menus: [
      { in: 'testing/item/context', when: ofControl, group: '1_control@1' },
      { in: 'testing/message/context', when: inMessage, group: '1_control@1' },
      { in: 'testing/message/content', when: inMessage, group: '1_control@1' },
    ],
  },
  controlWaiveRow: {
    id: 'identityQueries.control.waiveRow',
    title: 'Waive Row of Control...',
    palette: inEditor,
    menus: [
      { in: 'testing/item/context', when: ofControl, group: '1_control@2' },
      { in: 'testing/message/context', when: inMessage, group: '1_control@2' },
    ],
  },
} as const satisfies Contributions['commands'];
