/** The answers of the connection form: by name, from a profile, and as settings. */
import {
  addressProblem,
  connectionColours,
  type ConnectionProfile,
  type ConnectionScopes,
} from '../../../../core/src/connections/connection-profile.ts';
import { joinCommand, splitCommand } from '../../../../core/src/connections/command-line.ts';
import type { ConnectionSetting } from '../../../../core/src/connections/parse-connection.ts';

/** The steps by name, in order. */
export const order = [
  'name',
  'baseUrl',
  'basePlain',
  'authUrl',
  'authPlain',
  'environment',
  'clientId',
  'secretFrom',
  'secret',
  'variable',
  'command',
  'scopes',
  'changes',
  'marking',
  'label',
  'colour',
] as const;
export type StepName = (typeof order)[number];
export type Answers = Readonly<Record<StepName, string>>;

export function named(answers: readonly string[]): Answers {
  const entries = order.map((name, index) => {
    const text = answers[index] ?? '';
    return [name, name === 'secret' ? text : text.trim()] as const;
  });
  return Object.fromEntries(entries) as Answers; // every name is in `order`
}

export function answersOf(profile: ConnectionProfile): readonly string[] {
  const source = profile.secretSource;
  const answers: Answers = {
    name: profile.name,
    baseUrl: profile.baseUrl,
    basePlain: '',
    authUrl: profile.authUrl,
    authPlain: '',
    environment: profile.environment ?? '',
    clientId: profile.clientId,
    secretFrom: source?.kind ?? 'storage',
    secret: '',
    variable: source?.kind === 'variable' ? source.name : '',
    command: source?.kind === 'command' ? joinCommand(source.command) : '',
    scopes: profile.scopes ?? 'read and write',
    changes: profile.allowChanges ? 'yes' : 'no',
    marking: profile.protected ? 'protected' : 'plain',
    label: profile.label ?? '',
    colour: profile.colour ?? '',
  };
  return order.map((name) => answers[name]);
}

/** Members that were not asked about stay. */
export function settingOf(answers: Answers, old: ConnectionProfile | undefined): ConnectionSetting {
  const { environment } = answers;
  const isPlain = [answers.baseUrl, answers.authUrl].some((url) => addressProblem(url) === 'plain-http');
  const command = splitCommand(answers.command);
  const colour = connectionColours.find((each) => each === answers.colour);
  const scopes = scopesAnswered(answers, old);
  return {
    name: answers.name,
    baseUrl: answers.baseUrl,
    authUrl: answers.authUrl,
    ...(environment === '' ? {} : { environment }),
    clientId: answers.clientId,
    ...(scopes === undefined ? {} : { scopes }),
    ...(answers.label === '' ? {} : { label: answers.label }),
    ...(colour === undefined ? {} : { colour }),
    ...(answers.marking === 'protected' ? { protected: true } : {}),
    ...(answers.changes === 'yes' ? { allowChanges: true } : {}),
    ...(isPlain ? { allowPlainHttp: true } : {}),
    ...(answers.secretFrom === 'variable' ? { secretVariable: answers.variable } : {}),
    ...(answers.secretFrom === 'command' && command !== undefined ? { secretCommand: command } : {}),
    ...(old?.ai === undefined ? {} : { ai: old.ai }),
    ...(old?.sensitiveColumns === undefined ? {} : { sensitiveColumns: old.sensitiveColumns }),
  };
}

/** Both answers count as the default scopes. */
function scopesAnswered(answers: Answers, old: ConnectionProfile | undefined): ConnectionScopes | undefined {
  if (answers.scopes === 'read') return 'read';
  return old?.scopes === 'read' ? undefined : old?.scopes;
}
