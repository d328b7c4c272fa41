/** What this feature contributes to the editor; `npm run manifest` makes the manifest of it. */
import type { Contributions } from '../../contribution-types.ts';

export const commands = {
  connectionAdd: {
    id: 'identityQueries.connection.add',
    title: 'Add Connection...',
    icon: '$(add)',
    menus: [{ in: 'view/title', when: 'view == identityQueries.savedQueries', group: '2_configure@2' }],
  },
  connectionConnect: {
    id: 'identityQueries.connection.connect',
    title: 'Connect to Service...',
    icon: '$(plug)',
    menus: [{ in: 'view/title', when: 'view == identityQueries.savedQueries', group: '1_connection@1' }],
  },
  connectionDisconnect: {
    id: 'identityQueries.connection.disconnect',
    title: 'Disconnect',
    icon: '$(debug-disconnect)',
    enablement: 'identityQueries.connection != disconnected',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.connection != disconnected',
        group: '1_connection@2',
      },
    ],
  },
  connectionUpdateSecret: {
    id: 'identityQueries.connection.updateSecret',
    title: 'Update Client Secret...',
    icon: '$(key)',
  },
  connectionRetry: {
    id: 'identityQueries.connection.retry',
    title: 'Connect Again',
    icon: '$(debug-disconnect)',
    palette: 'identityQueries.connection != disconnected',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.serviceAway',
        group: 'navigation@0',
      },
    ],
  },
  connectionEdit: {
    id: 'identityQueries.connection.edit',
    title: 'Edit Connection...',
    icon: '$(edit)',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.hasConnections',
        group: '2_configure@1',
      },
    ],
  },
  connectionTest: {
    id: 'identityQueries.connection.test',
    title: 'Test Connection',
    icon: '$(pulse)',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.connection != disconnected',
        group: '1_connection@4',
      },
    ],
  },
  connectionSignOut: {
    id: 'identityQueries.connection.signOut',
    title: 'Sign Out',
    icon: '$(sign-out)',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.connection != disconnected',
        group: '2_configure@3',
      },
    ],
  },
  connectionDelete: {
    id: 'identityQueries.connection.delete',
    title: 'Delete Connection...',
    icon: '$(trash)',
    menus: [
      {
        in: 'view/title',
        when: 'view == identityQueries.savedQueries && identityQueries.hasConnections',
        group: '2_configure@4',
      },
    ],
  },
  connectionMoveSecrets: {
    id: 'identityQueries.connection.moveSecrets',
    title: 'Move Secrets from Settings to Secret Storage',
    icon: '$(key)',
  },
  /** Asks again what a folder's connection may; takes its name. */
  connectionReview: {
    id: 'identityQueries.connection.review',
    title: "Review a Folder's Connection...",
    icon: '$(shield)',
  },
  /** Copies the report of the last test. */
  connectionCopyReport: {
    id: 'identityQueries.connection.copyReport',
    title: 'Copy Report of the Connection Test',
    icon: '$(copy)',
    palette: 'false',
  },
  /** Answers the state (a StateSnapshot), for tests and other extensions. */
  connectionState: { id: '_identityQueries.connection.state' },
  networkUpdatePassphrase: {
    id: 'identityQueries.network.updatePassphrase',
    title: 'Enter Passphrase of the Client Certificate...',
    icon: '$(key)',
  },
} as const satisfies Contributions['commands'];

export const settings = {
  connections: {
    name: 'connections',
    restricted: true,
    type: 'array',
    scope: 'machine-overridable',
    default: [],
    markdownDescription:
      'Connections to Identity and Access Data Services. Those of a folder are added to your own; what can run a program, read a variable, change data or use plain HTTP counts there only once you have allowed it. Secrets never belong here: **Identity Queries: Connect to Service...** asks for them and keeps them in the secret storage of the editor.',
    items: {
      type: 'object',
      required: ['name', 'baseUrl', 'authUrl', 'clientId'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, description: 'Shown in the status bar and with every result.' },
        baseUrl: {
          type: 'string',
          description: 'Address of the service. {environment} in it stands for the environment.',
        },
        authUrl: {
          type: 'string',
          description: 'Token address of production. The word prod in it is replaced by the environment.',
        },
        environment: {
          type: 'string',
          pattern: '^([A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)?$',
          description: 'Name of the environment; prod when left out.',
        },
        clientId: { type: 'string', description: 'OAuth client id.' },
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
          description: 'Marks the connection in the status bar and with every result, by text and colour.',
        },
        allowChanges: {
          type: 'boolean',
          default: false,
          description:
            'Allows commands that change data of the service through this connection. Queries only ever read.',
        },
        ai: {
          type: 'string',
          enum: ['off', 'schema', 'saved', 'select'],
          enumDescriptions: [
            'Agents see nothing.',
            'Agents read models and check SQL.',
            'Agents also run saved queries. The most a protected connection allows.',
            'Agents also run their own SELECT.',
          ],
          default: 'off',
          description: "What agents may do. A folder's connection allows nothing.",
        },
        sensitiveColumns: {
          type: 'array',
          items: { type: 'string' },
          markdownDescription:
            'Columns of this connection whose values agents never see, besides the usual ones: `column` or `table.column` with `*`. `!` before a pattern opens what it matches.',
        },
        scopes: {
          type: 'string',
          enum: ['read', 'read and write'],
          default: 'read and write',
          description: "Scopes to request. With read alone you can't save or change anything.",
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
            'Name of an environment variable that holds the client secret, in place of the secret storage.',
        },
        secretCommand: {
          type: 'array',
          minItems: 1,
          items: { type: 'string' },
          markdownDescription:
            'Program and arguments that print the client secret on their first line, in place of the secret storage: `["vault", "read", "-field=secret", "identity"]`. Started without a shell each time a token is needed, and ended after 30 seconds.',
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
    description: 'Timeout of one request, in seconds.',
  },
  clientAuthentication: {
    name: 'network.clientAuthentication',
    restricted: true,
    type: 'string',
    scope: 'machine',
    enum: ['basic', 'body'],
    default: 'basic',
    description:
      'How the client proves itself to the token address: by HTTP Basic, or in the body of the request (RFC 6749 section 2.3.1).',
  },
  networkTotalTimeoutSeconds: {
    name: 'network.totalTimeoutSeconds',
    restricted: true,
    type: 'number',
    scope: 'machine',
    default: 120,
    minimum: 1,
    maximum: 7200,
    description: 'Timeout of one call in seconds, including its token, retries and the pauses between them.',
  },
  networkCaFile: {
    name: 'network.caFile',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    description:
      'File with further certificates to trust, in PEM form, for services and proxies with an authority of your company. ~ stands for your home folder.',
  },
  networkClientCertificate: {
    name: 'network.clientCertificate',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    markdownDescription:
      'File with the certificate this client shows to services that ask for one: in PEM form, with its key in the same file or in `#identityQueries.network.clientKey#`, or PKCS #12 (`.p12`, `.pfx`). A passphrase is asked for and kept in the secret storage.',
  },
  networkClientKey: {
    name: 'network.clientKey',
    restricted: true,
    type: 'string',
    scope: 'machine',
    default: '',
    description:
      'File with the key of the client certificate, in PEM form, where it is not in the same file.',
  },
  networkUseEditorFetch: {
    name: 'network.useEditorFetch',
    restricted: true,
    type: 'boolean',
    scope: 'machine',
    default: false,
    markdownDescription:
      "Lets the editor's own `fetch` make the requests: for networks with a proxy configuration script (PAC). The CA file, the client certificate and the settings of this section about connections then do not count; the editor's do.",
  },
} as const satisfies Contributions['settings'];

/** Context keys that `when` clauses may name. */
export const contextKeys = {
  /** One of the kinds of ConnectionState. */
  connection: 'identityQueries.connection',
  /** While the connection has failed: one of the kinds of failure (session/connection-failure.ts). */
  connectionFailure: 'identityQueries.connectionFailure',
  /** Whether the service of the current connection was not reached last time. */
  serviceAway: 'identityQueries.serviceAway',
  /** Whether at least one connection is configured. */
  hasConnections: 'identityQueries.hasConnections',
} as const satisfies Contributions['contextKeys'];

export const colours = [
  {
    id: 'identityQueries.connectionRed',
    key: 'connection.red',
    description: 'Connections with the colour red, in the status bar and in lists.',
    dark: '#ff8f85',
    light: '#a1260d',
    highContrast: '#ff9b93',
    highContrastLight: '#8a1c06',
  },
  {
    id: 'identityQueries.connectionOrange',
    key: 'connection.orange',
    description: 'Connections with the colour orange, in the status bar and in lists.',
    dark: '#f0a35e',
    light: '#8a4b00',
    highContrast: '#ffb87a',
    highContrastLight: '#743f00',
  },
  {
    id: 'identityQueries.connectionYellow',
    key: 'connection.yellow',
    description: 'Connections with the colour yellow, in the status bar and in lists.',
    dark: '#e2c541',
    light: '#6b5800',
    highContrast: '#ffe169',
    highContrastLight: '#574700',
  },
  {
    id: 'identityQueries.connectionGreen',
    key: 'connection.green',
    description: 'Connections with the colour green, in the status bar and in lists.',
    dark: '#7fce8b',
    light: '#1a6b2a',
    highContrast: '#98eca4',
    highContrastLight: '#0f5a1f',
  },
  {
    id: 'identityQueries.connectionBlue',
    key: 'connection.blue',
    description: 'Connections with the colour blue, in the status bar and in lists.',
    dark: '#7fb8ff',
    light: '#0550a8',
    highContrast: '#9ccaff',
    highContrastLight: '#04418a',
  },
  {
    id: 'identityQueries.connectionPurple',
    key: 'connection.purple',
    description: 'Connections with the colour purple, in the status bar and in lists.',
    dark: '#cba6f7',
    light: '#6a2ea8',
    highContrast: '#dcc2ff',
    highContrastLight: '#582291',
  },
] as const satisfies Contributions['colours'];
