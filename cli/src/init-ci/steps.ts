/** The commands of the jobs, shared by all CI services. */
import type { CiJobs } from './jobs.ts';

const connectionSecrets = [
  'IDENTITY_QUERIES_BASE_URL',
  'IDENTITY_QUERIES_AUTH_URL',
  'IDENTITY_QUERIES_CLIENT_ID',
  'IDENTITY_QUERIES_CLIENT_SECRET',
] as const;

/** The variables for the connection and the digest key. */
export const ciSecrets = {
  connection: connectionSecrets,
  controls: [...connectionSecrets, 'IDENTITY_QUERIES_DIGEST_KEY'],
} as const;

export function secretsOf({ hasControls }: Pick<CiJobs, 'hasControls'>): readonly string[] {
  return hasControls ? ciSecrets.controls : ciSecrets.connection;
}

/** Early every working day, in UTC. */
export const cron = '0 5 * * 1-5';

export const planFile = 'plan.md';

export interface CiCommands {
  /** Without credentials. */
  readonly check: readonly string[];
  /** Exit code 2 means there are changes, which a plan is meant to report. */
  readonly plan: string;
  readonly push: string;
  /** Fails if both sides differ. */
  readonly drift: string;
  readonly controls: string;
}

export function commandsOf({ version, hasQueries, hasControls }: CiJobs): CiCommands {
  const program = `npx --yes identity-queries@${version}`;
  return {
    check: [
      ...(hasQueries ? [`${program} check`] : []),
      ...(hasControls ? [`${program} controls list .`] : []),
    ],
    plan: `${program} plan --markdown ${planFile} || test $? -eq 2`,
    push: `${program} push --detached`,
    drift: `${program} plan --markdown ${planFile}`,
    controls: `${program} controls run . --report junit=controls.xml sarif=controls.sarif markdown=controls.md`,
  };
}

/** @param by columns. */
export function indented(lines: readonly string[], by: number): string {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`)).join('\n');
}

/** Omits parts that the repository does not use. */
export function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('');
}
