/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import { maxLengths } from '#base/shown-text/for-places.ts';
import type { Contributions } from '#client/contribution-types.ts';

export const commands = {
  agentsShowActivity: {
    id: 'identityQueries.ai.showActivity',
    title: 'Show AI Calls',
  },
} as const satisfies Contributions['commands'];

export const settings = {
  aiMaxRows: {
    name: 'ai.maxRows',
    restricted: true,
    type: 'integer',
    scope: 'machine',
    default: 100,
    minimum: 1,
    maximum: 1000,
    description: 'Maximum number of rows in a response to an agent.',
  },
  aiMaxBytes: {
    name: 'ai.maxBytes',
    restricted: true,
    type: 'integer',
    scope: 'machine',
    default: 16_000,
    minimum: 1,
    maximum: 200_000,
    description: 'Maximum size, in bytes, of a response to an agent.',
  },
  aiCallsPerMinute: {
    name: 'ai.callsPerMinute',
    restricted: true,
    type: 'integer',
    scope: 'machine',
    default: 20,
    minimum: 1,
    maximum: 120,
    description: 'Maximum number of agent calls per minute on a connection, across all windows and programs.',
  },
  aiSensitiveColumns: {
    name: 'ai.sensitiveColumns',
    restricted: true,
    type: 'array',
    scope: 'machine',
    default: [],
    items: { type: 'string' },
    markdownDescription:
      'Columns whose values agents never see, in addition to the built-in ones: `column` or `table.column`, with `*` as a wildcard. `!` before a pattern makes an exception.',
  },
} as const satisfies Contributions['settings'];

/** As much as a person is shown before it runs. */
export const toolSqlMax = maxLengths.details;

/** Returns whether a text has so much blank in it that it seems to end there: a question shows some thirty lines. */
export function looksEnded(text: string): boolean {
  return /[\s\u2800\p{DI}]{200}|(?:(?:\r\n?|[\n\u2028\u2029])(?:(?![\r\n\u2028\u2029])[\s\u2800\p{DI}])*){6}/u.test(
    text.trimEnd(),
  );
}

const query = {
  type: 'object',
  required: ['sql'],
  additionalProperties: false,
  properties: {
    sql: {
      type: 'string',
      maxLength: toolSqlMax,
      description: 'One SELECT in PostgreSQL over the models of the connection.',
    },
  },
} as const;

export const mcpServers = [
  { id: 'identityQueries.agents', key: 'agents', label: 'Identity Queries' },
] as const satisfies Contributions['mcpServers'];

export const tools = [
  {
    name: 'identityQueries_openQuery',
    key: 'openQuery',
    displayName: 'Open Query',
    modelDescription:
      'Opens a SQL query about identity and access data in the editor, unsaved, for the person to look at. It does not run it.',
    userDescription: 'Open a query in the editor',
    reference: 'identityOpenQuery',
    inputSchema: query,
  },
  {
    name: 'identityQueries_showRows',
    key: 'showRows',
    displayName: 'Show Rows',
    modelDescription:
      'Runs one SELECT about identity and access data and shows its rows to the person. You do not get the rows.',
    userDescription: 'Run a query and show its rows only to you',
    reference: 'identityShowRows',
    inputSchema: query,
  },
] as const satisfies Contributions['tools'];
