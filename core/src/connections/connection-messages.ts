/** Explains why a connection cannot be used, for both editor settings and command line files. */
import { t } from '#base/texts.ts';
import type { AddressProblem } from './connection-profile.ts';
import { connectionFields, type ConnectionProblem, type ExpectedValue } from './parse-connection.ts';

export function sayConnectionProblem(problem: ConnectionProblem, place: string): string {
  switch (problem.kind) {
    case 'secret':
      return t(
        "{0} contains a secret ({1}), so it is not used. Move the secret to the editor's secret storage.",
        place,
        problem.field,
      );
    case 'missing':
      return t('{0} needs "{1}", a string.', place, problem.field);
    case 'unknown':
      return t(
        '{0}: a connection has no "{1}", only: {2}.',
        place,
        problem.field,
        connectionFields.join(', '),
      );
    case 'type':
      return t('{0}: "{1}" must be {2}.', place, problem.field, sayExpected(problem.expected));
    case 'no-fields':
      return t('{0} must be an object with {1}.', place, '"name", "baseUrl", "authUrl", "clientId"');
    case 'address':
      return t('{0}: {1}. {2}', place, problem.field, sayAddressProblem(problem.problem));
    case 'environment':
      return t(
        '{0}: {1} is not the name of an environment (letters, digits, hyphens).',
        place,
        problem.environment,
      );
    case 'secret-source':
      return t('{0}: only one of secretVariable and secretCommand can be used.', place);
    case 'duplicate':
      return t('{0}: the name "{1}" is used twice.', place, problem.name);
    case 'taken':
      return t(
        '{0} is not used because you have your own connection "{1}". Rename one of them.',
        place,
        problem.name,
      );
    default:
      return problem satisfies never;
  }
}

/** Says what a value must be, as the end of a sentence. */
function sayExpected(expected: ExpectedValue): string {
  switch (expected.kind) {
    case 'flag':
      return t('true or false, without quotes');
    case 'text':
      return t('a text in quotes');
    case 'texts':
      return t('a list of texts in quotes');
    case 'variable':
      return t('the name of an environment variable');
    case 'command':
      return t('a list with a program and its arguments, each in quotes');
    case 'one-of':
      return t('one of: {0}', expected.values.map((value) => `"${value}"`).join(', '));
    case 'such-as':
      return t('an object such as {0}', expected.example);
    default:
      return expected satisfies never;
  }
}

export function sayAddressProblem(problem: AddressProblem): string {
  return {
    invalid: t('Not an address. It looks like https://host/path.'),
    'not-http': t('The address must start with https://.'),
    credentials: t('An address must not contain a user name or password.'),
    'secret-in-query': t('What follows ? in an address is shown and must not contain a secret.'),
    placeholder: t(
      'The address has a placeholder that is not {0}. Enter the name itself in its place.',
      '{environment}',
    ),
    'more-than-path': t('The address must end with its path: leave out what follows ? or #.'),
    version: t('Leave out /v1 and what follows it: the address ends before it.'),
    'plain-http': t(
      'http:// sends the secret and the token unencrypted. Use https://, or allow it with "allowPlainHttp".',
    ),
  }[problem];
}
