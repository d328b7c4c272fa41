/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

/** Context value for failure messages, used by the Testing view's menus. */
export const controlMessage = 'identityQueries.control';

const ofControl = 'testing.testItemHasUri && controllerId == identityQueries.controls';
const inMessage = `testMessage == ${controlMessage}`;
/** Context keys available to `when` clauses. */
export const contextKeys = {
  /** Whether the Testing view has controls. */
  hasControls: 'identityQueries.hasControls',
} as const satisfies Contributions['contextKeys'];

const inEditor = 'editorLangId == identity-sql';

export const commands = {
  /** Accepts a Testing view control or a URI; otherwise uses the active editor's query. */
  controlShowRows: {
    id: 'identityQueries.control.showRows',
    title: 'Show Control Rows',
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
    title: 'Waive Control Row...',
    palette: inEditor,
    menus: [
      { in: 'testing/item/context', when: ofControl, group: '1_control@2' },
      { in: 'testing/message/context', when: inMessage, group: '1_control@2' },
    ],
  },
  /** Accepts a Testing view control or a URI; otherwise uses the active editor's query. */
  controlCompareBaseline: {
    id: 'identityQueries.control.compareBaseline',
    title: 'Compare Control with Baseline...',
    shortTitle: 'Compare with Baseline...',
    palette: inEditor,
    menus: [
      { in: 'testing/item/context', when: ofControl, group: '1_control@3' },
      { in: 'testing/message/context', when: inMessage, group: '1_control@3' },
    ],
  },
  /** Starts or stops. Accepts a Testing view control or a URI; otherwise uses the active editor's query. */
  controlWatch: {
    id: 'identityQueries.control.watch',
    title: 'Watch Control or Stop Watching',
    palette: inEditor,
    menus: [{ in: 'testing/item/context', when: ofControl, group: '2_watch@1' }],
  },
  /** By the benchmarks of the folder, and of installed packs if chosen; by tag; or by folder. */
  controlsGroupBy: {
    id: 'identityQueries.controls.groupBy',
    title: 'Group Controls By...',
    palette: 'identityQueries.hasControls',
    menus: [
      {
        in: 'view/title',
        when: `view == workbench.view.testing && ${contextKeys.hasControls}`,
        group: '5_group@1',
      },
    ],
  },
  controlsDigestKey: {
    id: 'identityQueries.controls.setDigestKey',
    title: 'Set Digest Key for Controls...',
    palette: 'identityQueries.hasControls || editorLangId == identity-sql',
  },
  /** Returns the Testing view's current tree as labels of groups and controls. For tests. */
  controlsState: { id: '_identityQueries.controls.state' },
} as const satisfies Contributions['commands'];

export const settings = {
  controlsWatchMinutes: {
    name: 'controls.watchMinutes',
    restricted: true,
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 1440,
    description: 'Minutes between runs of a watched control.',
  },
} as const satisfies Contributions['settings'];

/**
 * Saving before a test run would also save unsaved edits of saved queries on the service, as versions that all colleagues
 * see. The setting cannot be limited to a language. Controls run with the text in the editor, so they need no save.
 * Tasks and debugging of other files keep their defaults: people start them for those, and `task.saveBeforeRun` turns
 * their save off.
 */
export const editorDefaults = {
  'testing.saveBeforeTest': false,
} as const satisfies Contributions['editorDefaults'];
