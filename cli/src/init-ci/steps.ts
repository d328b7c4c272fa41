/** The jobs' commands, shared by all CI services. */
import { queriesFolder } from '#core/sync/format/layout.ts';
import type { CiJobs } from './jobs.ts';

const connectionSecrets = [
  'IDENTITY_QUERIES_BASE_URL',
  'IDENTITY_QUERIES_AUTH_URL',
  'IDENTITY_QUERIES_CLIENT_ID',
  'IDENTITY_QUERIES_CLIENT_SECRET',
] as const;

/** Names of the CI secrets for the connection and the digest key. */
export const ciSecrets = {
  connection: connectionSecrets,
  controls: [...connectionSecrets, 'IDENTITY_QUERIES_DIGEST_KEY'],
} as const;

export function secretsOf({ hasControls }: Pick<CiJobs, 'hasControls'>): readonly string[] {
  return hasControls ? ciSecrets.controls : ciSecrets.connection;
}

/** Early on every weekday, in UTC. */
export const cron = '0 5 * * 1-5';

export const planFile = 'plan.md';

/** Holds the IDs of new queries if the main branch accepts no commits from CI. */
const idsBranch = 'identity-queries-ids';

export interface CiCommands {
  /** Needs no credentials. */
  readonly check: readonly string[];
  /** Exit code 2 means there are changes, which a plan is meant to report. */
  readonly plan: string;
  /** A script that also commits the IDs of new queries. */
  readonly push: readonly string[];
  /** Fails if the two sides differ. */
  readonly drift: string;
  readonly controls: string;
}

/**
 * @param branch the name of the main branch, as shell code.
 * @param gitPush the command that pushes, as shell code.
 */
export function commandsOf(
  { program: { command: program }, hasQueries, hasControls }: CiJobs,
  branch = 'main',
  gitPush = 'git push',
): CiCommands {
  return {
    check: [
      ...(hasQueries ? [`${program} check`] : []),
      ...(hasControls ? [`${program} controls list .`] : []),
    ],
    plan: `${program} plan --markdown ${planFile} || test $? -eq 2`,
    push: pushScript(`${program} push --detached`, branch, gitPush),
    drift: `${program} plan --markdown ${planFile}`,
    controls: `${program} controls run . --report junit=controls.xml sarif=controls.sarif markdown=controls.md`,
  };
}

/**
 * Pushes, and commits the IDs of new queries, which would otherwise be identified only by name and text. If the main
 * branch accepts no commits or has newer ones, a separate branch holds the IDs.
 */
function pushScript(push: string, branch: string, gitPush: string): readonly string[] {
  return [
    'code=0',
    `${push} || code=$?`,
    `git add -A -- ${queriesFolder}`,
    `if ! git diff --cached --quiet -- ${queriesFolder}; then`,
    '  git -c user.name=identity-queries -c user.email=identity-queries@localhost \\',
    `    commit -q -m 'Record IDs of new saved queries [skip ci]' -- ${queriesFolder}`,
    `  if ! ${gitPush} -q origin HEAD:${branch}; then`,
    `    ${gitPush} -q --force origin HEAD:refs/heads/${idsBranch} || true`,
    `    echo 'The IDs of new queries are not on the main branch. Merge the branch ${idsBranch}, or pull.' >&2`,
    '    code=1',
    '  fi',
    'fi',
    'exit $code',
  ];
}

/** @param by number of columns. */
export function indented(lines: readonly string[], by: number): string {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`)).join('\n');
}

/** Joins the parts of a workflow; `false` marks a part that the repository does not use. */
export function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('');
}
