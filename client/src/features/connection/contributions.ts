/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';
import { inTitle } from '#client/menu-places.ts';

const runsLocally = 'identityQueries.sandboxRunning || identityQueries.ownDataRunning';

export const commands = {
  connectionAdd: {
    id: 'identityQueries.connection.add',
    title: 'Add Connection...',
    icon: '$(add)',
    menus: [inTitle('savedQueries', '2_configure@2')],
  },
  connectionConnect: {
    id: 'identityQueries.connection.connect',
    title: 'Connect to Service...',
    icon: '$(plug)',
    menus: [inTitle('savedQueries', '1_connection@1')],
  },
  connectionDisconnect: {
    id: 'identityQueries.connection.disconnect',
    title: 'Disconnect',
    palette: 'identityQueries.connection != disconnected',
    icon: '$(debug-disconnect)',
    enablement: 'identityQueries.connection != disconnected',
    menus: [inTitle('savedQueries', '1_connection@2', 'identityQueries.connection != disconnected')],
  },
  /** Asks which one if both run. */
  localServiceStop: {
    id: 'identityQueries.localService.stop',
    title: 'Stop Sandbox or Service over Your PostgreSQL',
    palette: runsLocally,
    icon: '$(debug-stop)',
    enablement: runsLocally,
    menus: [inTitle('savedQueries', '1_connection@3', `(${runsLocally})`)],
  },
  /** Asks which one if there is a client certificate. */
  connectionEnterSecret: {
    id: 'identityQueries.connection.enterSecret',
    title: 'Enter Client Secret or Passphrase...',
    palette: 'identityQueries.hasConnections',
    icon: '$(key)',
  },
  connectionUpdateSecret: { id: '_identityQueries.connection.updateSecret' },
  connectionRetry: { id: '_identityQueries.connection.retry' },
  connectionEdit: {
    id: 'identityQueries.connection.edit',
    title: 'Edit Connection...',
    palette: 'identityQueries.hasConnections',
    icon: '$(edit)',
    menus: [inTitle('savedQueries', '2_configure@1', 'identityQueries.hasConnections')],
  },
  connectionTest: {
    id: 'identityQueries.connection.test',
    title: 'Test Connection',
    palette: 'identityQueries.hasConnections',
    icon: '$(pulse)',
    menus: [inTitle('savedQueries', '1_connection@4', 'identityQueries.connection != disconnected')],
  },
  connectionSignOut: {
    id: 'identityQueries.connection.signOut',
    title: 'Sign Out',
    palette: 'identityQueries.hasConnections',
    icon: '$(sign-out)',
    menus: [inTitle('savedQueries', '2_configure@3', 'identityQueries.connection != disconnected')],
  },
  connectionDelete: {
    id: 'identityQueries.connection.delete',
    title: 'Delete Connection...',
    palette: 'identityQueries.hasConnections',
    icon: '$(trash)',
    menus: [inTitle('savedQueries', '2_configure@4', 'identityQueries.hasConnections')],
  },
  connectionMoveSecrets: { id: '_identityQueries.connection.moveSecrets' },
  /** Asks for a folder's permissions again; accepts the connection's name. */
  connectionReview: {
    id: 'identityQueries.connection.review',
    title: 'Review Folder Connection...',
    palette: 'identityQueries.hasConnections && workspaceFolderCount > 0',
    icon: '$(shield)',
  },
  /** Copies the report of the last test. */
  connectionCopyReport: { id: '_identityQueries.connection.copyReport' },
  /** Returns the state (a StateSnapshot), for tests and other extensions. */
  connectionState: { id: '_identityQueries.connection.state' },
  /**
   * Passes a request to the newest open form as if its page had sent it, and returns the form's state (a
   * ConnectionFormState). For tests.
   */
  connectionForm: { id: '_identityQueries.connection.form' },
  networkUpdatePassphrase: { id: '_identityQueries.network.updatePassphrase' },
} as const satisfies Contributions['commands'];

export const settings = {
  connections: {
    name: 'connections',
    restricted: true,
    type: 'array',
    scope: 'machine-overridable',
    default: [],
    markdownDescription:
      "Connections to Identity and Access Data Services. A folder's connections are added to your own. Anything in them that runs a program, reads a variable, changes data or uses plain HTTP applies only after you allow it. Never put secrets here: **Identity Queries: Connect to Service...** asks for them and keeps them in the editor's secret storage.",
    items: {
      type: 'object',
      required: ['name', 'baseUrl', 'authUrl', 'clientId'],
      additionalProperties: false,
      patternProperties: { '^x-': {} },
      properties: {
        name: { type: 'string', minLength: 1, description: 'Shown in the status bar and with every result.' },
        baseUrl: {
          type: 'string',
          description: 'Address of the service. {environment} is replaced by the name of the environment.',
        },
        authUrl: {
          type: 'string',
          description:
            'URL of the token endpoint for production. The word prod in the URL is replaced by the name of the environment.',
        },
        environment: {
          type: 'string',
          pattern: '^([A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)?$',
          description: 'Name of the environment. The default is prod.',
        },
        clientId: { type: 'string', description: 'OAuth client ID.' },
        label: {
          type: 'string',
          maxLength: 24,
          description: 'Short text shown beside the name, for example PROD.',
        },
        colour: {
          type: 'string',
          enum: ['red', 'orange', 'yellow', 'green', 'blue', 'purple'],
          description: 'Color of the connection in the status bar, unless it is protected.',
        },
        protected: {
          type: 'boolean',
          default: false,
          description:
            'Marks the connection, with text and color, in the status bar and next to every result.',
        },
        allowChanges: {
          type: 'boolean',
          default: false,
          description:
            "Allows commands that change the service's data through this connection. Queries are always read-only.",
        },
        ai: {
          type: 'string',
          enum: ['off', 'schema', 'saved', 'select'],
          enumDescriptions: [
            'Agents have no access.',
            'Agents can read models and check SQL.',
            'Agents can also run saved queries. A protected connection allows no more than this.',
            'Agents can also run their own SELECT statements.',
          ],
          default: 'off',
          description:
            "What agents may do on this connection. A folder's connection grants agents no access.",
        },
        sensitiveColumns: {
          type: 'array',
          items: { type: 'string' },
          markdownDescription:
            'Columns of this connection whose values agents never see, in addition to the built-in ones: `column` or `table.column`, with `*` as a wildcard. `!` before a pattern makes an exception.',
        },
        clientAuthentication: {
          type: 'string',
          enum: ['basic', 'body'],
          default: 'basic',
          description:
            'How the client authenticates to the token endpoint: with HTTP Basic, or in the request body (RFC 6749 section 2.3.1).',
        },
        execute: {
          type: 'object',
          additionalProperties: false,
          properties: {
            values: {
              type: 'string',
              enum: ['parameters', 'literals'],
              enumDescriptions: [
                'Sent separately from the query text and bound by the service.',
                'Written into the query as quoted, typed literals, for a service without parameter support.',
              ],
              default: 'parameters',
              description: 'How parameter values reach the service.',
            },
            paging: {
              type: 'object',
              additionalProperties: false,
              markdownDescription:
                'How the service pages results, where that cannot be learned: `size`, `token` and `next`, or `{ "all": true }` if every response has all rows.',
              properties: {
                size: { type: 'string', description: 'Member of a request with the maximum number of rows.' },
                token: { type: 'string', description: 'Member of a request that asks for the next page.' },
                next: {
                  type: 'string',
                  description: 'Member of a response with the next page, such as page.next.',
                },
                last: {
                  type: 'string',
                  default: 'no-token',
                  description:
                    'How the last page is told: no-token, empty-page, or a member with its value, such as has_more=false.',
                },
                all: { type: 'boolean', description: 'Every response has all rows.' },
              },
            },
          },
        },
        scopes: {
          type: 'string',
          enum: ['read', 'read and write'],
          default: 'read and write',
          description: "Scopes to request. With only the read scope, you can't save or change anything.",
        },
        allowPlainHttp: {
          type: 'boolean',
          default: false,
          description:
            'Allows an http:// address outside this machine. The secret and the tokens then cross the network unencrypted.',
        },
        secretVariable: {
          type: 'string',
          minLength: 1,
          description:
            'Name of an environment variable that contains the client secret, used instead of the secret storage.',
        },
        secretCommand: {
          type: 'array',
          minItems: 1,
          items: { type: 'string' },
          markdownDescription:
            'Program and arguments that print the client secret on the first line. Used instead of the secret storage. Example: `["vault", "read", "-field=secret", "identity"]`. The program is run without a shell each time a token is needed, and may run for up to 30 seconds.',
        },
      },
    },
  },
  requestTimeoutSeconds: {
    name: 'network.requestTimeoutSeconds',
    restricted: true,
    type: 'number',
    scope: 'machine',
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      'Timeout for a single request, in seconds. A whole call, with its token, retries and pauses, may take four times as long.',
  },
  networkCaFile: {
    name: 'network.caFile',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    description:
      "PEM file with additional certificates to trust, for services and proxies that use your company's certificate authority. ~ stands for your home folder.",
  },
  networkClientCertificate: {
    name: 'network.clientCertificate',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    markdownDescription:
      'Client certificate file, for services that require one. The format is PEM, with the key in the same file or in `#identityQueries.network.clientKey#`, or PKCS #12 (`.p12`, `.pfx`). If the file needs a passphrase, the editor asks for it and keeps it in the secret storage.',
  },
  networkClientKey: {
    name: 'network.clientKey',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    description:
      'PEM file with the key of the client certificate, if the certificate file does not contain it.',
  },
  networkUseEditorFetch: {
    name: 'network.useEditorFetch',
    restricted: true,
    type: 'boolean',
    scope: 'machine',
    default: false,
    markdownDescription:
      "Use the editor's own `fetch` for requests, as needed on networks with a proxy auto-configuration (PAC) script. The editor's network settings then replace the CA file, the client certificate and the connection settings in this section.",
  },
} as const satisfies Contributions['settings'];

export const contextKeys = {
  /** The kind of ConnectionState. */
  connection: 'identityQueries.connection',
  /** Whether the last request failed to reach the service. */
  serviceAway: 'identityQueries.serviceAway',
  /** Whether at least one connection is configured. */
  hasConnections: 'identityQueries.hasConnections',
} as const satisfies Contributions['contextKeys'];

/** Each with its color on dark, light, high contrast, and light high contrast. */
const connectionColours = [
  ['Red', '#ff8f85', '#a1260d', '#ff9b93', '#8a1c06'],
  ['Orange', '#f0a35e', '#8a4b00', '#ffb87a', '#743f00'],
  ['Yellow', '#e2c541', '#6b5800', '#ffe169', '#574700'],
  ['Green', '#7fce8b', '#1a6b2a', '#98eca4', '#0f5a1f'],
  ['Blue', '#7fb8ff', '#0550a8', '#9ccaff', '#04418a'],
  ['Purple', '#cba6f7', '#6a2ea8', '#dcc2ff', '#582291'],
] as const;

export const colours = connectionColours.map(([name, dark, light, highContrast, highContrastLight]) => {
  const word = name.toLowerCase();
  return {
    id: `identityQueries.connection${name}`,
    key: `connection.${word}`,
    description: `Color for connections marked ${word}, in the status bar and in lists.`,
    dark,
    light,
    highContrast,
    highContrastLight,
  };
}) satisfies Contributions['colours'];
