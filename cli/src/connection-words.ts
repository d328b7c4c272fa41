/** What is wrong with connections outside the editor, in words. */
import type { AddressProblem } from '../../core/src/connections/connection-profile.ts';
import type { ConnectionsFileError, EntryProblem } from '../../core/src/connections/connections-file.ts';
import type { SecretSourceProblem } from '../../core/src/connections/secret-sources.ts';

export function fileProblemWords({ file, problem }: ConnectionsFileError): string {
  switch (problem) {
    case 'missing':
      return `The connections file "${file}" does not exist.`;
    case 'unreadable':
      return `The connections file "${file}" cannot be read. Check its permissions.`;
    case 'too-large':
      return `The connections file "${file}" is larger than 1 MiB. Is it the right file?`;
    case 'not-json':
      return `The connections file "${file}" is not valid JSON.`;
    case 'not-a-list':
      return `The connections file "${file}" must hold a list of connections.`;
    default:
      return problem satisfies never;
  }
}

export function entryProblemWords(problem: EntryProblem): string {
  switch (problem.kind) {
    case 'secret':
      return `"${problem.field}" holds a secret in clear. Remove it, and name a variable in "secretVariable".`;
    case 'missing':
      return `"${problem.field}" is missing.`;
    case 'type':
      return `"${problem.field}" has a value of the wrong type.`;
    case 'address':
      return `${problem.field}: ${addressWords[problem.problem]}`;
    case 'environment':
      return `"${problem.environment}" is not a name for an environment. Use letters, digits, - and _.`;
    case 'secret-source':
      return 'only one of "secretVariable" and "secretCommand" can be used.';
    case 'duplicate':
      return `the name "${problem.name}" is used twice.`;
    case 'taken':
      return `the name "${problem.name}" is another connection's in your own settings.`;
    case 'not-own':
      return `"${problem.field}" counts only in the connections file of your own configuration folder.`;
    case 'foreign-variable':
      return `a repository may not name the variable "${problem.variable}". Use one that begins with ${problem.prefix}, or put the connection into your own configuration folder.`;
    case 'no-secret-source':
      return 'it does not say where the client secret is. Name a variable in "secretVariable".';
    default:
      return problem satisfies never;
  }
}

const addressWords: Readonly<Record<AddressProblem, string>> = {
  invalid: 'not an address. It looks like https://host/path.',
  'not-http': 'the address must start with https://.',
  credentials: 'an address must not hold a user name or password.',
  'plain-http': 'http:// would send the secret unencrypted. Use https://.',
};

export function secretProblemWords(problem: SecretSourceProblem, connection: string): string {
  switch (problem.kind) {
    case 'variable-not-set':
      return `The variable ${problem.name} is not set. It should hold the client secret of "${connection}".`;
    case 'program-not-found':
      return `The program "${problem.program}" for the secret of "${connection}" was not found.`;
    case 'program-too-slow':
      return `The program "${problem.program}" for the secret of "${connection}" took more than ${problem.seconds} seconds.`;
    case 'program-failed':
      return `The program "${problem.program}" for the secret of "${connection}" failed${problem.exitCode === undefined ? '' : ` with exit code ${problem.exitCode}`}.`;
    case 'program-printed-nothing':
      return `The program "${problem.program}" for the secret of "${connection}" printed nothing.`;
    default:
      return problem satisfies never;
  }
}
