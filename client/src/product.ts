/** Contributions that belong to the product rather than a feature: view containers, walkthrough, strings. */
import type { Contributions } from './contribution-types.ts';

export const commands = {
  logShow: { id: 'identityQueries.log.show', title: 'Show Log', icon: '$(output)' },
  /** Opens the walkthrough, which the view no longer links to once connected. */
  firstSteps: { id: 'identityQueries.firstSteps', title: 'Show First Steps' },
  /** Opens the details of a failed request; accepts a FailureDetails. */
  failureDetails: { id: '_identityQueries.failure.details' },
} as const satisfies Contributions['commands'];

export const contextKeys = {
  /**
   * Counts up while the first steps are shown. The editor registers their conditions some time after they were opened,
   * and never marks a step as completed whose condition holds at that time. One with this key becomes true later.
   */
  firstStepsShown: 'identityQueries.firstStepsShown',
  /** Always set to the same value, to hear that the window has processed the rows that were sent to it before. */
  rowsTaken: 'identityQueries.rowsTaken',
} as const satisfies Contributions['contextKeys'];

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
    title: 'Get Started with Identity Queries',
    description: 'Get your first result in five minutes.',
    steps: [
      {
        id: 'connect',
        title: 'Connect, or start the sandbox',
        description:
          'The sandbox is a complete service on this machine with sample identity data. Nothing leaves your computer.\n[Start Sandbox](command:identityQueries.sandbox.start)\nAlready have a service? Enter its details on one page and test the connection.\n[Add Connection...](command:identityQueries.connection.add)',
        picture: 'media/walkthrough/connect',
        pictureText:
          'The Saved Queries view with the Start Sandbox and Add Connection buttons. Beside it is the form for a new connection.',
        completionEvents: [
          'onContext:identityQueries.connection == connected',
          'onContext:identityQueries.firstStepsShown > 0 && identityQueries.connection == connected',
          'onContext:identityQueries.firstStepsShown > 1 && identityQueries.connection == connected',
        ],
      },
      {
        id: 'open',
        title: 'Open a saved query',
        description:
          'The service stores saved queries and numbers their versions. Open one from the Saved Queries view.\n[Show Saved Queries](command:identityQueries.savedQueries.focus)',
        picture: 'media/walkthrough/open',
        pictureText: 'Saved queries in groups, with their versions. One of them is open in the editor.',
        completionEvents: [
          'onContext:identityQueries.hasOpenedQuery',
          'onContext:identityQueries.firstStepsShown > 0 && identityQueries.hasOpenedQuery',
          'onContext:identityQueries.firstStepsShown > 1 && identityQueries.hasOpenedQuery',
        ],
      },
      {
        id: 'run',
        title: 'Run the query',
        description:
          'Press Ctrl+Enter (Cmd+Enter on a Mac) in the query, or click the play button above it. The rows appear below the query.\n[Run Query](command:identityQueries.query.run)',
        picture: 'media/walkthrough/run',
        pictureText: 'A query with a parameter. Below it are its rows and the duration of the run.',
        completionEvents: ['onCommand:identityQueries.query.run'],
      },
      {
        id: 'models',
        title: 'Find tables and columns',
        description:
          'For each table, you can see its description and the saved queries that use it. Preview its rows, create a query with all of its columns, or hold Shift and drag a name into the editor.\n[Search Models, Tables and Columns...](command:identityQueries.models.search)\n[Show Models](command:identityQueries.models.focus)',
        picture: 'media/walkthrough/models',
        pictureText: "The Models view with tables and columns, and a table's context menu.",
        completionEvents: [
          'onCommand:identityQueries.models.newQueryFromTable',
          'onCommand:identityQueries.models.preview',
          'onCommand:identityQueries.models.search',
          'onCommand:identityQueries.models.insertName',
        ],
      },
      {
        id: 'save',
        title: 'Write and save your own query',
        description:
          'Mistakes are underlined as you type. Queries are read-only: a DELETE is refused before it is sent. Save a query under a name, and the service stores it as version 1.\n[New Query](command:identityQueries.query.new)\n[Save as New...](command:identityQueries.savedQuery.saveAsNew)',
        picture: 'media/walkthrough/save',
        pictureText:
          'The prompt for the name of a new saved query. Below it is the query, with a misspelled column underlined, and the list of problems.',
        completionEvents: ['onCommand:identityQueries.savedQuery.saveAsNew'],
      },
      {
        id: 'library',
        title: 'Run the query library',
        description:
          'Identity Review Essentials contains 58 controls for leavers, missing second factors, unused privileges and more. Add them to a folder, run them in the Testing view, and inspect the rows of each control that fails.\n[Browse Query Library...](command:identityQueries.library.browse)\n[Add Query Library to Folder...](command:identityQueries.library.addToFolder)\n[Show Testing View](command:workbench.view.testing.focus)',
        picture: 'media/walkthrough/library',
        pictureText:
          'A tree of controls, some of which failed. Beside it is a failed control with its message.',
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
    'Query identity and access data with SQL: checks as you type, versioned saved queries, and exact results. Includes a complete local service.',
  'capabilities.untrusted':
    'Queries are checked as usual. Until you trust the workspace, the extension ignores its connections. It also ignores workspace settings that could weaken a check or change what is sent, kept or shown.',
} as const satisfies Contributions['texts'];
