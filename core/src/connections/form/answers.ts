/** The answers of the connection form, read from a profile and converted to settings. The secret is not included. */
import { writtenPaging } from '#api/client/written-paging.ts';
import { joinCommand, splitCommand } from '../command-line.ts';
import {
  addressProblem,
  connectionColours,
  type ConnectionProfile,
  type ConnectionScopes,
} from '../connection-profile.ts';
import type { ConnectionSetting } from '../parse-connection.ts';
import { answerNames, type Answers } from './form-types.ts';

/** Reads the page's answers; missing answers become empty. */
export function answersFrom(texts: Readonly<Record<string, string>>): Answers {
  const entries = answerNames.map((name) => [name, (texts[name] ?? '').trim()] as const);
  return Object.fromEntries(entries) as Answers; // all names are present
}

/** Returns the initial answers for a new connection or an existing one. */
export function answersOf(profile: ConnectionProfile | undefined): Answers {
  const source = profile?.secretSource;
  return {
    name: profile?.name ?? '',
    baseUrl: profile?.baseUrl ?? '',
    basePlain: '',
    authUrl: profile?.authUrl ?? '',
    authPlain: '',
    environment: profile?.environment ?? '',
    clientId: profile?.clientId ?? '',
    secretFrom: source?.kind ?? 'storage',
    variable: source?.kind === 'variable' ? source.name : '',
    command: source?.kind === 'command' ? joinCommand(source.command) : '',
    scopes: profile?.scopes ?? 'read and write',
    changes: profile?.allowChanges === true ? 'yes' : 'no',
    marking: profile?.protected === true ? 'protected' : 'plain',
    label: profile?.label ?? '',
    colour: profile?.colour ?? '',
  };
}

/** Converts answers to a setting. Members not in the form are left unchanged. */
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
    ...(old?.clientAuthentication === undefined ? {} : { clientAuthentication: old.clientAuthentication }),
    ...executeOf(old),
  };
}

function executeOf(old: ConnectionProfile | undefined): Pick<ConnectionSetting, 'execute'> {
  const paging = old?.executePaging && writtenPaging(old.executePaging);
  const values = old?.executeValues;
  if (paging === undefined && values === undefined) return {};
  return {
    execute: { ...(paging === undefined ? {} : { paging }), ...(values === undefined ? {} : { values }) },
  };
}

/** The setting members that the form covers. */
const asked: ReadonlySet<string> = new Set([
  'name',
  'baseUrl',
  'authUrl',
  'environment',
  'clientId',
  'scopes',
  'label',
  'colour',
  'protected',
  'allowChanges',
  'allowPlainHttp',
  'secretVariable',
  'secretCommand',
] satisfies (keyof ConnectionSetting)[]);

/** Returns the entry after an edit. Members not in the form are left as written. */
export function editedEntry(entry: unknown, setting: ConnectionSetting): unknown {
  if (typeof entry !== 'object' || entry === null) return setting;
  const kept = Object.entries(entry).filter(([member]) => !asked.has(member));
  return { ...setting, ...Object.fromEntries(kept) };
}

/** Returns the scopes to save. Undefined and `read and write` mean the same, so the old value is kept. */
function scopesAnswered(answers: Answers, old: ConnectionProfile | undefined): ConnectionScopes | undefined {
  if (answers.scopes === 'read') return 'read';
  return old?.scopes === 'read' ? undefined : old?.scopes;
}
