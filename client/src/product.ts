/** Contributions of the product rather than of one feature: view containers, first steps, texts. */
import type { Contributions } from './contribution-types.ts';

export const commands = {
  logShow: { id: 'identityQueries.log.show', title: 'Show Log', icon: '$(output)' },
  /** Opens the details of a failed request; takes a FailureDetails. */
  failureDetails: { id: '_identityQueries.failure.details' },
} as const satisfies Contributions['commands'];

export const containers = [
  { id: 'identityQueries', place: 'activitybar', icon: './media/icon.svg', title: 'Identity Queries' },
  {
    id: 'identityQueriesResults',
    place: 'panel',
    icon: './media/icon.svg',
    title: 'Identity Results',
    titleKey: 'views.resultsContainer',
  },
] as const satisfies Contributions['containers'];

export const walkthroughs = [
  {
    id: 'identityQueries.welcome',
    title: 'First results from identity data',
    description: 'Get your first result in a minute.',
    steps: [
      {
        id: 'connect',
        title: 'Connect, or start the sandbox',
        description:
          'The sandbox is a complete service on this machine with sample identity data. Nothing leaves your computer.\n[Start Sandbox](command:identityQueries.sandbox.start)\nHave a service already? [Add Connection...](command:identityQueries.connection.add)',
        picture: 'media/walkthrough/connect.svg',
        pictureText:
          'The first view with its two buttons, Start Sandbox and Add Connection, beside the contents of the sandbox: accounts, roles, access and activities.',
        completionEvents: ['onContext:identityQueries.connection == connected'],
      },
      {
        id: 'open',
        title: 'Open a saved query',
        description:
          'Saved queries live on the service, which numbers their versions. Open one from the view.\n[Show Saved Queries](command:identityQueries.savedQueries.focus)',
        picture: 'media/walkthrough/open.svg',
        pictureText: 'Saved queries in groups with their versions; one is open as a document.',
        completionEvents: ['onCommand:identityQueries.savedQuery.open'],
      },
      {
        id: 'run',
        title: 'Run it',
        description:
          'Press Ctrl+Enter (Cmd+Enter on a Mac) in the query, or the play button above it. The rows appear below it.\n[Run Query](command:identityQueries.query.run)',
        picture: 'media/walkthrough/run.svg',
        pictureText: 'A query with a parameter; below it, its rows and the time that the run took.',
        completionEvents: ['onCommand:identityQueries.query.run'],
      },
      {
        id: 'models',
        title: 'Find tables and columns',
        description:
          'Every table shows its description and the saved queries that use it. Preview its rows, start a query with all of its columns, or hold Shift and drag a name into the editor.\n[Search Models, Tables and Columns](command:identityQueries.models.search)\n[Show Models](command:identityQueries.models.focus)',
        picture: 'media/walkthrough/models.svg',
        pictureText: 'Models with their tables and columns, a description, and the menu of a table.',
        completionEvents: [
          'onCommand:identityQueries.models.newQueryFromTable',
          'onCommand:identityQueries.models.preview',
          'onCommand:identityQueries.models.search',
          'onCommand:identityQueries.models.insertName',
        ],
      },
      {
        id: 'save',
        title: 'Write your own, and save it',
        description:
          'Mistakes are marked while you type. Queries are read-only: a DELETE is refused before anything is sent.\n[New Query](command:identityQueries.query.new)\n[Save as New...](command:identityQueries.savedQuery.saveAsNew)',
        picture: 'media/walkthrough/save.svg',
        pictureText:
          'A DELETE statement that is marked and refused; below it, the versions of a saved query.',
        completionEvents: ['onCommand:identityQueries.savedQuery.saveAsNew'],
      },
      {
        id: 'library',
        title: 'Run the query library',
        description:
          'Identity Review Essentials asks 58 review questions about leavers, missing second factors, unused privileges and more. Add it to a folder, run it in the Testing view, and read the rows of each control that fails.\n[Browse Query Library...](command:identityQueries.library.browse)\n[Add Query Library to Folder...](command:identityQueries.library.addToFolder)\n[Show Testing View](command:workbench.view.testing.focus)',
        picture: 'media/walkthrough/library.svg',
        pictureText:
          'A tree of controls, some of which failed; beside it, a failed control with its rows and advice.',
        completionEvents: [
          'onCommand:identityQueries.library.browse',
          'onCommand:identityQueries.library.addToFolder',
        ],
      },
    ],
  },
] as const satisfies Contributions['walkthroughs'];

export const texts = {
  displayName: 'Identity Queries',
  description:
    'Query identity and access data with SQL: checks as you type, saved queries with versions, and exact results. Includes a complete local service.',
  'capabilities.untrusted':
    'Queries are still checked, but until you trust the workspace, its connections are ignored, and so are any of its settings that could weaken a check or change what is sent, kept or shown.',
} as const satisfies Contributions['texts'];
