/** The commands of the jobs, shared by all CI services. */
import { indexFile, queriesFolder } from '../../../core/src/sync/format/layout.ts';
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

/** Holds the IDs of new queries if the main branch accepts no commit from CI. */
const idsBranch = 'identity-queries-ids';

export interface CiCommands {
  /** Without credentials. */
  readonly check: readonly string[];
  /** Exit code 2 means there are changes, which a plan is meant to report. */
  readonly plan: string;
  /** A script: also commits the IDs of new queries. */
  readonly push: readonly string[];
  /** Fails if both sides differ. */
  readonly drift: string;
  readonly controls: string;
}

/** @param branch the main branch, as a shell writes it. */
export function commandsOf({ version, hasQueries, hasControls }: CiJobs, branch = 'main'): CiCommands {
  const program = `npx --yes identity-queries@${version}`;
  return {
    check: [
      ...(hasQueries ? [`${program} check`] : []),
      ...(hasControls ? [`${program} controls list .`] : []),
    ],
    plan: `${program} plan --markdown ${planFile} || test $? -eq 2`,
    push: pushScript(`${program} push --detached`, branch),
    drift: `${program} plan --markdown ${planFile}`,
    controls: `${program} controls run . --report junit=controls.xml sarif=controls.sarif markdown=controls.md`,
  };
}

const index = `${queriesFolder}/${indexFile}`;

/**
 * Without its ID, a new query would later be known only by its name and text. If the main branch accepts no commit or
 * has newer ones, a separate branch holds the IDs.
 */
function pushScript(push: string, branch: string): readonly string[] {
  return [
    'code=0',
    `${push} || code=$?`,
    `if ! git diff --quiet -- ${index}; then`,
    '  git -c user.name=identity-queries -c user.email=identity-queries@localhost \\',
    `    commit -q -m 'Record ids of new saved queries [skip ci]' -- ${index}`,
    `  if ! git push -q origin HEAD:${branch}; then`,
    `    git push -q --force origin HEAD:refs/heads/${idsBranch} || true`,
    `    echo 'The ids of new queries are not on the main branch. Merge the branch ${idsBranch}, or pull.' >&2`,
    '    code=1',
    '  fi',
    'fi',
    'exit $code',
  ];
}

/** @param by columns. */
export function indented(lines: readonly string[], by: number): string {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`)).join('\n');
}

/** Omits parts that the repository does not use. */
export function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('');
}
