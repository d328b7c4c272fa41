/** The environment variables that the program reads. docs/cli.md derives from this table. */

export interface Variable {
  readonly names: readonly string[];
  /** Markdown. */
  readonly meaning: string;
}

export const variables: readonly Variable[] = [
  {
    names: [
      'IDENTITY_QUERIES_BASE_URL',
      'IDENTITY_QUERIES_AUTH_URL',
      'IDENTITY_QUERIES_CLIENT_ID',
      'IDENTITY_QUERIES_CLIENT_SECRET',
    ],
    meaning: 'a connection without a file, if all four are set; `sandbox` prints them',
  },
  { names: ['IDENTITY_QUERIES_CONNECTION_NAME'], meaning: 'the name of that connection (`Environment`)' },
  { names: ['IDENTITY_QUERIES_SCOPES'], meaning: '`read` or `read and write` (the default)' },
  {
    names: ['IDENTITY_QUERIES_AI'],
    meaning: 'what agents may do over that connection: `off` (the default), `schema`, `saved` or `select`',
  },
  {
    names: ['IDENTITY_QUERIES_PROTECTED'],
    meaning: 'the same member of a connection, set by any value but `0`, `false`, `no` and `off`',
  },
  {
    names: ['IDENTITY_QUERIES_ALLOW_CHANGES', 'IDENTITY_QUERIES_ALLOW_PLAIN_HTTP'],
    meaning: 'the same members of a connection, set by the value `1`',
  },
  { names: ['IDENTITY_QUERIES_DIGEST_KEY'], meaning: 'the key by which waivers and baselines know rows' },
  {
    names: ['IDENTITY_QUERIES_DUCKDB'],
    meaning: 'the folder of the npm package `@duckdb/node-api`, for `query`',
  },
  {
    names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    meaning:
      'the proxy for requests to the service; exceptions are hosts, domains, and networks such as `10.0.0.0/8`',
  },
  {
    names: ['NODE_EXTRA_CA_CERTS'],
    meaning: "a PEM file with certificates of your organization to trust, beside the system's",
  },
  { names: ['NO_COLOR'], meaning: 'no colors' },
  {
    names: ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
    meaning: 'the folders of your connections, of your local data, and of compiled code',
  },
];

/**
 * Removes what Azure Pipelines passes for a variable that nobody set: `$(NAME)`, which would be taken for a secret. Files
 * of connections and receivers name variables of their own.
 */
export function removeUnset(environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(environment))
    if (value?.trim() === `$(${name})`) Reflect.deleteProperty(environment, name);
}
