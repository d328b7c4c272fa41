/**
 * The fields of the connection form: their labels, the conditions for showing them, and the problems with their
 * answers.
 */
import { forLabel } from '#base/shown-text/for-places.ts';
import { t } from '#base/texts.ts';
import { splitCommand } from '../command-line.ts';
import { sayAddressProblem } from '../connection-messages.ts';
import {
  addressProblem,
  connectionColours,
  isEnvironmentName,
  secretKeyOf,
  type ConnectionColour,
  type ConnectionProfile,
} from '../connection-profile.ts';
import { profileOf } from '../parse-connection.ts';
import { settingOf } from './answers.ts';
import type { Answers, ConnectionField, ConnectionSection, FieldName } from './form-types.ts';

/** Maximum length of a label. Longer labels would crowd the status bar. */
const labelCharsMax = 20;

/** Context for validating the form: the other connections and the state of the secret. */
export interface FormFacts {
  /** All connections except the edited one. */
  readonly others: readonly ConnectionProfile[];
  readonly hasSecret: boolean;
  /** Whether a stored secret stays valid. */
  readonly keepsSecret: boolean;
}

interface Rule {
  readonly isAsked?: (answers: Answers) => boolean;
  /** Returns the problem with the answer; undefined if it is valid. */
  readonly problem?: (answers: Answers, facts: FormFacts) => string | undefined;
}

export function connectionSections(): readonly ConnectionSection[] {
  return [
    { title: t('Service'), fields: serviceFields() },
    { title: t('Client secret'), fields: secretFields() },
    { title: t('Permissions of this connection'), fields: rightsFields() },
    { title: t('How this connection is marked'), fields: markFields() },
  ];
}

/** Returns the fields to show for these answers. */
export function askedFields(answers: Answers): readonly FieldName[] {
  return fieldNames.filter((name) => rules[name].isAsked?.(answers) !== false);
}

/** Returns the problems with the shown fields, by field. */
export function problemsOf(answers: Answers, facts: FormFacts): Readonly<Partial<Record<FieldName, string>>> {
  const found: Partial<Record<FieldName, string>> = {};
  for (const name of askedFields(answers)) {
    const problem = rules[name].problem?.(answers, facts);
    if (problem !== undefined) found[name] = problem;
  }
  return found;
}

/** Returns notes about valid answers, by field. */
export function hintsOf(
  answers: Answers,
  { others, secretHint }: Pick<FormFacts, 'others'> & { readonly secretHint: string },
): Readonly<Partial<Record<FieldName, string>>> {
  const key = secretKeyOf(profileOf(settingOf(answers, undefined)));
  const twin = others.find((other) => secretKeyOf(other) === key);
  return {
    secret: secretHint,
    ...(twin === undefined
      ? {}
      : { clientId: t('{0} has the same addresses and client ID.', forLabel(twin.name)) }),
  };
}

const rules: Readonly<Record<FieldName, Rule>> = {
  name: {
    problem: ({ name }, { others }) => {
      if (name === '') return t('Enter a name.');
      return others.some((other) => other.name === name) ? t('Another connection has this name.') : undefined;
    },
  },
  baseUrl: { problem: ({ baseUrl }) => wrongAddress(baseUrl, 'baseUrl') },
  basePlain: {
    isAsked: ({ baseUrl }) => addressProblem(baseUrl, 'baseUrl') === 'plain-http',
    problem: ({ basePlain }) => notAllowed(basePlain),
  },
  authUrl: { problem: ({ authUrl }) => wrongAddress(authUrl, 'authUrl') },
  authPlain: {
    isAsked: ({ authUrl }) => addressProblem(authUrl, 'authUrl') === 'plain-http',
    problem: ({ authPlain }) => notAllowed(authPlain),
  },
  environment: {
    problem: ({ environment }) =>
      environment === '' || isEnvironmentName(environment)
        ? undefined
        : t('Letters, digits and hyphens only.'),
  },
  clientId: { problem: ({ clientId }) => (clientId === '' ? t('Enter a client ID.') : undefined) },
  secretFrom: {},
  secret: {
    isAsked: ({ secretFrom }) => secretFrom === 'storage',
    problem: (_, { hasSecret, keepsSecret }) =>
      hasSecret || keepsSecret ? undefined : t('Enter a client secret.'),
  },
  variable: {
    isAsked: ({ secretFrom }) => secretFrom === 'variable',
    problem: ({ variable }) =>
      /^[^\s=]+$/.test(variable) ? undefined : t('Enter the name of an environment variable.'),
  },
  command: {
    isAsked: ({ secretFrom }) => secretFrom === 'command',
    problem: ({ command }) =>
      splitCommand(command) === undefined
        ? t('Enter a program and its arguments. Quote arguments with spaces, and close each quote.')
        : undefined,
  },
  scopes: {},
  changes: { isAsked: ({ scopes }) => scopes !== 'read' },
  marking: {},
  label: {
    problem: ({ label }) =>
      label.length > labelCharsMax ? t('At most {0} characters.', labelCharsMax) : undefined,
  },
  colour: {},
};

const fieldNames = Object.keys(rules) as FieldName[]; // the record has exactly these keys

function serviceFields(): readonly ConnectionField[] {
  return [
    { name: 'name', label: t('Name'), placeholder: t('Production'), control: 'text' },
    {
      name: 'baseUrl',
      label: t('Base address'),
      hint: t("{environment} stands for the environment's name."),
      placeholder: 'https://api.{environment}.example.com',
      control: 'text',
    },
    plainHttpField('basePlain'),
    {
      name: 'authUrl',
      label: t('Token address'),
      hint: t("The token address for production. The word prod in it is replaced by the environment's name."),
      placeholder: 'https://auth.prod.example.com/oauth2/token',
      control: 'text',
    },
    plainHttpField('authPlain'),
    {
      name: 'environment',
      label: t('Environment'),
      hint: t('Leave it empty for prod.'),
      placeholder: 'prod',
      control: 'text',
    },
    { name: 'clientId', label: t('Client ID'), control: 'text' },
  ];
}

function secretFields(): readonly ConnectionField[] {
  return [
    {
      name: 'secretFrom',
      label: t('Source of the client secret'),
      control: 'choice',
      choices: [
        { value: 'storage', label: t('Enter it now') },
        {
          value: 'variable',
          label: t('From an environment variable'),
          description: t('It is set where the editor is started.'),
        },
        {
          value: 'command',
          label: t('From a program'),
          description: t('Such as a vault. It runs each time a token is needed.'),
        },
      ],
    },
    { name: 'secret', label: t('Client secret'), control: 'secret' },
    {
      name: 'variable',
      label: t('Environment variable'),
      hint: t('Its value is the client secret.'),
      placeholder: 'IDENTITY_CLIENT_SECRET',
      control: 'text',
    },
    {
      name: 'command',
      label: t('Program and arguments'),
      hint: t('The program prints the client secret on the first line. It runs without a shell.'),
      placeholder: 'vault read -field=secret identity/reader',
      control: 'text',
    },
  ];
}

function rightsFields(): readonly ConnectionField[] {
  return [
    {
      name: 'scopes',
      label: t('Scopes to request'),
      control: 'choice',
      choices: [
        {
          value: 'read and write',
          label: t('Read and write'),
          description: t('Lets you save queries. Falls back to read if write is refused.'),
        },
        { value: 'read', label: t('Read'), description: t("You can't save or change anything.") },
      ],
    },
    {
      name: 'changes',
      label: t('Data changes'),
      control: 'choice',
      choices: [
        {
          value: 'no',
          label: t('Read data'),
          description: t("Commands that change the service's data are off."),
        },
        { value: 'yes', label: t('Read and change data'), description: t('Each change is confirmed first.') },
      ],
    },
  ];
}

/** Fields that mark the connection: protection, label and color. */
function markFields(): readonly ConnectionField[] {
  return [
    {
      name: 'marking',
      label: t('Protection'),
      control: 'choice',
      choices: [
        { value: 'plain', label: t('Not marked') },
        {
          value: 'protected',
          label: t('Protected'),
          description: t('Marked in the status bar and with every result. For production.'),
        },
      ],
    },
    {
      name: 'label',
      label: t('Short label'),
      hint: t('Shown beside the name. Leave it empty for none.'),
      placeholder: 'PROD',
      control: 'text',
    },
    {
      name: 'colour',
      label: t('Color'),
      hint: t('Shown in the status bar and with every result.'),
      control: 'choice',
      choices: [
        { value: '', label: t('No color') },
        ...connectionColours.map((colour) => ({ value: colour, label: sayColour(colour) })),
      ],
    },
  ];
}

function sayColour(colour: ConnectionColour): string {
  return {
    red: t('Red'),
    orange: t('Orange'),
    yellow: t('Yellow'),
    green: t('Green'),
    blue: t('Blue'),
    purple: t('Purple'),
  }[colour];
}

/** Returns a field that permits sending secrets unencrypted. Shown only if needed. */
function plainHttpField(name: 'basePlain' | 'authPlain'): ConnectionField {
  return {
    name,
    label: t('Use http:// anyway'),
    hint: t('The secret and the tokens cross the network unencrypted.'),
    control: 'tick',
  };
}

function notAllowed(answer: string): string | undefined {
  return answer === 'yes'
    ? undefined
    : t('Not encrypted: others on the network can read the secret and every response.');
}

function wrongAddress(address: string, use: 'baseUrl' | 'authUrl'): string | undefined {
  if (address === '') return t('Enter an address.');
  const problem = addressProblem(address, use);
  return problem === undefined || problem === 'plain-http' ? undefined : sayAddressProblem(problem);
}
