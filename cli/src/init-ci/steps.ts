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

export function secretsOf({
  hasControls,
  notify,
}: Pick<CiJobs, 'hasControls' | 'notify'>): readonly string[] {
  return hasControls ? [...ciSecrets.controls, ...notify.variables] : ciSecrets.connection;
}

/** Returns the comment of the job with the history. */
export function notifyLines({ notify }: Pick<CiJobs, 'notify'>, by: number): string {
  const words =
    notify.file === undefined
      ? '# To tell receivers what is new, write this file again with --notify FILE.'
      : `# The receivers in ${notify.file} are told what is new.`;
  return `${' '.repeat(by)}${words}\n`;
}

/** Early on every weekday, in UTC. */
export const cron = '0 5 * * 1-5';

export const planFile = 'plan.md';

const historyBranch = 'identity-queries-history';
/** A hidden folder, in which no control is looked for. */
const historyFolder = '.history';

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
  /** A script that runs the controls and adds their outcomes to a history on a branch of its own. */
  readonly history: readonly string[];
}

/**
 * @param branch the name of the main branch, as shell code.
 * @param gitPush the command that pushes, as shell code.
 */
export function commandsOf(
  { program: { command: program }, hasQueries, hasControls, notify }: CiJobs,
  branch: string,
  gitPush = 'git push',
): CiCommands {
  const reports = '--report junit=controls.xml sarif=controls.sarif markdown=controls.md';
  return {
    check: [
      ...(hasQueries ? [`${program} check`] : []),
      ...(hasControls ? [`${program} controls list .`] : []),
    ],
    plan: `${program} plan --markdown ${planFile} || test $? -eq 2`,
    push: pushScript(`${program} push --detached`, branch, gitPush),
    drift: `${program} plan --markdown ${planFile}`,
    controls: `${program} controls run . ${reports}`,
    history: historyScript(
      `${program} controls run . --history ${historyFolder}${notify.file === undefined ? '' : ` --notify ${notify.file}`} ${reports} html=controls.html`,
      gitPush,
    ),
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

/**
 * Takes the history from its branch, which has no commit in common with the code, and puts it back with one run more.
 * The branch is missing at first; any other failure to read it ends the job, since a new history would tell everything
 * again.
 */
function historyScript(run: string, gitPush: string): readonly string[] {
  const git = gitPush.replace(/ push$/, '');
  const folder = `git -C ${historyFolder}`;
  return [
    '# What an earlier job left, where a machine is used again.',
    `rm -rf ${historyFolder} && git worktree prune`,
    'code=0',
    `${git} ls-remote --exit-code origin refs/heads/${historyBranch} > ls-remote.txt || code=$?`,
    'case $code in',
    `  0) ${git} fetch -q --depth 1 origin ${historyBranch}`,
    `     git worktree add -q --detach ${historyFolder} FETCH_HEAD ;;`,
    `  2) git worktree add -q --detach --no-checkout ${historyFolder}`,
    `     ${folder} symbolic-ref HEAD refs/heads/${historyBranch}`,
    `     ${folder} read-tree --empty ;;`,
    '  *) exit $code ;;',
    'esac',
    'code=0',
    `${run} || code=$?`,
    `${folder} add -A`,
    `if ! ${folder} diff --cached --quiet; then`,
    `  ${folder} -c user.name=identity-queries -c user.email=identity-queries@localhost \\`,
    "    commit -q -m 'Outcomes of controls [skip ci]'",
    `  if ! (cd ${historyFolder} && ${gitPush} -q origin HEAD:refs/heads/${historyBranch}); then`,
    '    # Another job was faster. Each run has a file of its own, so both fit together.',
    `    (cd ${historyFolder} && ${git} fetch -q origin ${historyBranch})`,
    `    ${folder} -c user.name=identity-queries -c user.email=identity-queries@localhost rebase -q FETCH_HEAD`,
    `    (cd ${historyFolder} && ${gitPush} -q origin HEAD:refs/heads/${historyBranch})`,
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
