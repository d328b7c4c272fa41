/**
 * docs/cli.md, generated from the commands. `node scripts/cli-docs.js` writes it; a unit test detects an outdated one.
 */
import { writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createProgram } from '../cli/src/program.ts';
import { fromRoot } from './lib/paths.js';

/** @typedef {import('commander').Command} Command */

const start = `# The command line

<!-- Made by \`node scripts/cli-docs.js\` from the commands of cli/src/commands: do not change it by hand. -->

\`identity-queries\` is the whole product without an editor: \`npx identity-queries\`, or \`dist/cli.js\` of a checkout ([editors.md](editors.md)). It needs Node 22.19 or newer.

Only the answer goes to standard output, so it can be piped; messages and progress go to standard error. Colours and progress are for terminals only.

## Exit codes

| Code | Meaning                                                                    |
| ---- | -------------------------------------------------------------------------- |
| 0    | as asked                                                                   |
| 1    | findings of \`check\`, differences of \`compare\`                              |
| 2    | a wrong call, wrong input, or the service could not be asked               |
| 130  | interrupted by Ctrl+C; a query that was running is cancelled               |

## Connections

A command takes the connection \`--connection NAME\` from \`--connections FILE\`; without the option from \`.identity-queries/connections.json\` in this folder or one above, then from your own file. With one connection, its name may be left out. A secret never stands in the file: \`secretVariable\` names the environment variable that holds it ([connections.md](connections.md)).

\`\`\`json
[
  {
    "name": "Production",
    "baseUrl": "https://api.example.com",
    "authUrl": "https://auth.example.com/oauth2/token",
    "clientId": "access-reviews",
    "secretVariable": "IDENTITY_QUERIES_SECRET"
  }
]
\`\`\`

## Environment variables

| Variable                                                   | Meaning                                                             |
| ---------------------------------------------------------- | ------------------------------------------------------------------- |
| \`IDENTITY_QUERIES_BASE_URL\`, \`IDENTITY_QUERIES_AUTH_URL\`   | with the next two: a connection without a file; \`sandbox\` prints them |
| \`IDENTITY_QUERIES_CLIENT_ID\`, \`IDENTITY_QUERIES_CLIENT_SECRET\` | who connects                                                      |
| \`IDENTITY_QUERIES_SCOPES\` | \`read\` or \`read and write\` (the default) |
| \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`NO_PROXY\`                    | the way to the service                                              |
| \`NO_COLOR\`                                                 | no colours                                                          |
| \`XDG_CONFIG_HOME\`, \`XDG_DATA_HOME\`                         | where your connections are, and what was seen on this machine       |

## Commands
`;

/** @returns {string} the whole document, unformatted */
export function cliDocs() {
  const stream = new PassThrough();
  const program = createProgram(
    {
      stdin: stream,
      stdout: stream,
      stderr: stream,
      environment: {},
      cwd: '/',
      signal: new AbortController().signal,
      end: () => undefined,
    },
    '',
  );
  return `${start}\n${program.commands.flatMap((command) => sections(command, [program.name()])).join('\n')}`;
}

/** @param {Command} command @param {readonly string[]} above @returns {string[]} */
function sections(command, above) {
  const names = [...above, command.name()];
  /** @type {string[]} */
  const own = [];
  // A fixed width, independent of the terminal; an event writes the additional help text.
  command.configureHelp({ ...command.configureHelp(), helpWidth: 100 });
  command.configureOutput({
    ...command.configureOutput(),
    writeOut: (text) => own.push(text),
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return [
    `${'#'.repeat(names.length + 1)} ${names.slice(1).join(' ')}\n\n\`\`\`text\n${own.join('').trimEnd()}\n\`\`\`\n`,
    ...command.commands.flatMap((inner) => sections(inner, names)),
  ];
}

/**
 * The document as formatted in docs/.
 * @returns {Promise<string>}
 */
export async function formattedCliDocs() {
  const prettier = await import('prettier');
  const file = fromRoot('docs/cli.md');
  const options = await prettier.resolveConfig(file);
  return await prettier.format(cliDocs(), { ...options, filepath: file });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(fromRoot('docs/cli.md'), await formattedCliDocs());
}
