/** The claims in README.md, with the tests and benchmarks that prove them. */
import { globSync, readFileSync } from 'node:fs';
import { fromRoot } from './paths.js';

/**
 * @typedef {object} Claim
 * @property {string} claim words from README.md, verbatim
 * @property {string[]} proofs `file: title` of a test, `file` of a benchmark, or an npm script
 */

/** @type {readonly Claim[]} */
export const claims = [
  {
    claim:
      'Write a query, see mistakes as you type, run it, and get exact results. Save it under a name in your Identity and Access Data Service, which numbers each version.',
    proofs: [
      'test/ui/first-query.test.ts: opens a saved query and runs it; a mistake is marked, a change is version 2',
      'test/ui/first-query.test.ts: a draft is saved as new, a taken name is reported and changed without losing the text',
    ],
  },
  {
    claim: "PostgreSQL's own grammar decides what is valid, on your machine, while you type.",
    proofs: [
      'test/unit/server/language/checks/analyser.test.ts: finds nothing wrong in',
      'test/unit/server/language/checks/postgres-judge.test.ts: rejects the reported queries, if it has the tables',
      'test/unit/server/stdio.test.ts: publishes the findings of an opened and a changed document, with its version',
    ],
  },
  {
    claim: 'Anything other than a read-only SELECT is flagged before it is sent.',
    proofs: [
      'test/host/runs.test.ts: a statement that writes is not sent, unless a setting lets the service decide',
      'test/contract/command-line.test.ts: sends nothing that is not proven read-only, unless allowed',
    ],
  },
  {
    claim: 'Every save names the version it is based on.',
    proofs: [
      'test/contract/saving-over-http.test.ts: a confirmed write that was not stored is not reported as saved',
      'test/host/saving-stories.test.ts: nothing typed is lost, nothing is replaced unseen',
      'test/fuzz/saving-editor.fuzz.ts',
    ],
  },
  {
    claim: "If a colleague saved first, edits that don't overlap are merged for your review.",
    proofs: [
      'test/host/saving.test.ts: edits that do not overlap are merged visibly, and saved when the person confirms',
    ],
  },
  {
    claim: 'Where they overlap, you see both versions and decide.',
    proofs: [
      'test/host/saving.test.ts: a conflict shows both versions by name and number, and changes nothing',
      'test/ui/saving.test.ts: two people resolve conflicts of every kind, and nothing is lost',
    ],
  },
  {
    claim: 'Integers above 2^53 and decimals are never rounded.',
    proofs: [
      'test/unit/api/json.test.ts: any integer text survives the round trip',
      'test/contract/command-line.test.ts: binds parameters exactly, as the form does',
    ],
  },
  {
    claim: 'NULL and the empty string look different.',
    proofs: ['test/ui/results-panel.test.ts: shows rows with their types, and an accurate row count'],
  },
  {
    claim: 'A million rows scroll smoothly.',
    proofs: [
      'test/ui/results-panel.test.ts: 1,000,000 rows: every position shows its own rows, by scroll bar and by keys',
      'test/bench/results.bench.ts',
    ],
  },
  {
    claim: '`:since` in a query becomes a form field, and its value is sent as a bound parameter.',
    proofs: ['test/host/parameters.test.ts: types come from the column that a parameter is compared with'],
  },
  {
    claim: '**Run with Value Sets or on Several Connections...** makes one result of them.',
    proofs: ['test/contract/several.test.ts: is one result, and a pattern leaves out what must be named'],
  },
  {
    claim: 'The extension includes the _sandbox_: a complete local service with sample identity data.',
    proofs: [
      'test/ui/connection.test.ts: with the package alone: one sandbox for two windows, one click to it and back, gone with the last window',
    ],
  },
  {
    claim: '`npm start` uses your desktop VS Code if `code` is on the PATH',
    proofs: ['npm start'],
  },
  {
    claim: 'Open **Identity Queries** in the activity bar and choose **Start Sandbox**.',
    proofs: [
      'test/ui/connection.test.ts: with the package alone: one sandbox for two windows, one click to it and back, gone with the last window',
    ],
  },
  {
    claim: '_Access reviews/Accounts still enabled after their owner left_',
    proofs: [
      'test/ui/first-query.test.ts: opens a saved query and runs it; a mistake is marked, a change is version 2',
    ],
  },
  {
    claim: 'Enter opens the record of a row.',
    proofs: [
      'test/ui/results-small.test.ts: Enter opens the record of a row; Space opens the value of a cell',
      'test/ui/first-query.test.ts: opens a saved query and runs it; a mistake is marked, a change is version 2',
    ],
  },
  {
    claim: 'Change the query and press **Ctrl+S**. It is now version 2.',
    proofs: [
      'test/ui/first-query.test.ts: opens a saved query and runs it; a mistake is marked, a change is version 2',
    ],
  },
  {
    claim: 'If the name is taken, the form says so and keeps your text.',
    proofs: ['test/host/creating.test.ts: cancelling at a taken name keeps the draft and creates nothing'],
  },
  {
    claim: 'Run `DELETE FROM accounts` to see the extension refuse a statement before sending it.',
    proofs: [
      'test/host/runs.test.ts: a statement that writes is not sent, unless a setting lets the service decide',
    ],
  },
  {
    claim: "The secret is kept only in the editor's secret storage.",
    proofs: [
      'test/ui/connection.test.ts: a whole session from the form to a result; none of it is in any log',
      'test/host/connections.test.ts: a secret in the settings is refused, moved on demand and gone from the file; sign out forgets it',
    ],
  },
  {
    claim:
      '**Test Connection** checks each step, from the DNS lookup to a test query, and tells you what to do if one fails.',
    proofs: [
      'test/contract/connection-test.test.ts: reports a finding for every step on a working service',
      'test/host/connections.test.ts: testing a connection reports what works and what does not, and the copied report contains no secret',
    ],
  },
  {
    claim:
      'npm test    # everything: checks, unit, contract, host and UI tests, about 20 minutes on two cores',
    proofs: ['npm test'],
  },
  {
    claim:
      'Otherwise, it downloads a copy of VS Code. If the download fails, it opens [code-server](https://github.com/coder/code-server) in your browser. `npm start -- --code-server` always uses code-server. Ctrl+C stops everything.',
    proofs: ['npm start'],
  },
  {
    claim: 'npm start   # installs, builds, starts the sandbox, opens VS Code connected to it',
    proofs: ['npm start'],
  },
  {
    claim: 'If you used `npm start`, you are already connected.',
    proofs: [
      'npm start',
      "test/host/connections.test.ts: the environment's connection is used, with its key and its permissions",
    ],
  },
  {
    claim: 'Press **Ctrl+Enter** (**Cmd+Enter** on a Mac) or **F5**. The rows appear in the result panel.',
    proofs: [
      'test/ui/first-query.test.ts: opens a saved query and runs it; a mistake is marked, a change is version 2',
    ],
  },
  {
    claim:
      'Run **Identity Queries: New Query**, type `SELECT alias, email FROM accounts WHERE is_admin`, run it, then choose **Save as New...**.',
    proofs: [
      'test/ui/first-query.test.ts: a draft is saved as new, a taken name is reported and changed without losing the text',
    ],
  },
  {
    claim:
      "**Identity Queries: Add Connection...** opens a page for the service's addresses and the client's credentials.",
    proofs: [
      'test/ui/connection.test.ts: a whole session from the form to a result; none of it is in any log',
    ],
  },
  {
    claim: 'You can also define connections [in your settings](docs/connections.md),',
    proofs: [
      'test/host/connections.test.ts: a secret comes from an environment variable, or from a program without a shell',
    ],
  },
  {
    claim: 'identity-queries sandbox                          # the local service',
    proofs: [
      'test/contract/npm-package.test.ts: starts the sandbox, and runs a query against it in another process',
    ],
  },
  {
    claim: 'echo "SELECT alias, email FROM accounts WHERE is_admin ORDER BY alias" > admins.sql',
    proofs: ['test/contract/documents.test.ts'],
  },
  {
    claim: 'identity-queries check admins.sql                 # exit code 1 if there are errors',
    proofs: [
      'test/unit/cli/cli.test.ts: prints positions that editors can follow, and allows several statements',
    ],
  },
  {
    claim: 'The command-line tool does the same work in a terminal and in CI.',
    proofs: [
      'test/contract/command-line.test.ts: prints a table and nothing else on standard output',
      'test/contract/init-ci.test.ts: checks, plans, pushes, finds drift and runs controls on',
    ],
  },
  {
    claim: '`npm run package:cli` builds its npm package in `dist/npm`.',
    proofs: [
      'test/contract/npm-package.test.ts: starts the sandbox, and runs a query against it in another process',
    ],
  },
  {
    claim:
      '`npm install --global ./dist/npm/identity-queries-*.tgz` installs it. It needs Node.js 22.19 or later.',
    proofs: [
      'test/contract/npm-package.test.ts: has no dependencies and runs nothing on installation',
      'test/contract/npm-package.test.ts: reports the required version on an old Node.js',
    ],
  },
  {
    claim: '**Identity Queries: Show First Steps** shows these steps with pictures.',
    proofs: ['test/ui/library.test.ts: every page shows its text and its picture'],
  },
  {
    claim: 'identity-queries run admins.sql --out admins.csv',
    proofs: ['test/contract/command-line.test.ts: writes every format to a complete file'],
  },
  {
    claim: 'identity-queries compare admins.csv admins.sql    # runs it again; exit code 1 if they differ',
    proofs: [
      'test/contract/command-line.test.ts: finds what was added, removed and changed between a file and a query',
    ],
  },
  {
    claim:
      'identity-queries doctor                           # where a service differs from the specification',
    proofs: [
      'test/contract/doctor.test.ts: every assumption holds, as far as read requests can tell, and nothing is written',
    ],
  },
  {
    claim:
      'identity-queries serve --database postgres://reader@localhost/mydb   # a service over your own PostgreSQL',
    proofs: ['test/contract/own-postgres.test.ts: a login that only reads is served'],
  },
  {
    claim: 'identity-queries server --stdio                   # the language server',
    proofs: ['test/unit/server/editing.test.ts: responds to every announced request'],
  },
  {
    claim: 'The extension sends data only to the service you connect to, and collects no telemetry.',
    proofs: [
      'test/unit/network-access.test.ts: only these modules open connections',
      'test/contract/network.test.ts: are not followed by',
    ],
  },
  {
    claim: 'attacks, defenses, and the tests that prove them',
    proofs: ['test/unit/security-document.test.ts: names existing tests'],
  },
  {
    claim: 'findings in 100 KB of SQL appear 4 to 29 ms (median) after a keystroke',
    proofs: ['test/bench/language.bench.ts'],
  },
  {
    claim: 'the first rows of a million-row result appear after 51 ms',
    proofs: ['test/bench/results.bench.ts'],
  },
];

/**
 * @param {readonly Claim[]} [of]
 * @returns {string[]} claims missing from README.md, and missing proofs
 */
export function problemsOfClaims(of = claims) {
  const readme = inOneLine(readFileSync(fromRoot('README.md'), 'utf8'));
  return of.flatMap(({ claim, proofs }) => [
    ...(readme.includes(inOneLine(claim)) ? [] : [`README.md does not say: ${claim}`]),
    ...(proofs.length > 0 ? [] : [`nothing shows: ${claim}`]),
    ...proofs.filter((proof) => !isThere(proof)).map((proof) => `not found: ${proof}`),
  ]);
}

/** @param {string} proof */
function isThere(proof) {
  const script = /^npm (?:run )?([a-z:]+)$/.exec(proof)?.[1];
  if (script !== undefined) {
    /** @type {{ scripts: Record<string, string> }} */
    const { scripts } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
    return Object.hasOwn(scripts, script);
  }
  const [file = '', title = ''] = proof.split(/: (.*)/s);
  return (
    globSync(file, { cwd: fromRoot('.') }).length === 1 &&
    inOneLine(readFileSync(fromRoot(file), 'utf8')).includes(title)
  );
}

/** @param {string} text */
function inOneLine(text) {
  return text.replaceAll(/\s+/g, ' ');
}
