/** The workflow for GitHub Actions. */
import { commentScript } from './comment-scripts.ts';
import type { CiJobs } from './jobs.ts';
import { ciSecrets, commandsOf, cron, indented, joined, notifyLines, planFile, secretsOf } from './steps.ts';

/** GitHub does not pass secrets to forks or Dependabot. */
const isOwnRequest =
  "github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]'";

/** Commits, since a tag may be moved to other code. */
const actions = {
  checkout: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  setupNode: 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  uploadArtifact: 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  uploadSarif: 'github/codeql-action/upload-sarif@0d579ffd059c29b07949a3cce3983f0780820c98 # v4.32.6',
} as const;

/** The token is known to this command only, not to every step after the checkout. */
const gitPush = `git -c credential.helper='!f() { echo username=x-access-token; echo "password=$GITHUB_TOKEN"; }; f' push`;

export function githubWorkflow(jobs: CiJobs): string {
  const { hasQueries, hasControls, isSarifUploaded, branch } = jobs;
  const commands = commandsOf(jobs, branch, gitPush);
  const setUp = (depth: '0' | '1') => setUpSteps(depth, jobs);
  const rights = (contents: 'read' | 'write') =>
    `${isSarifUploaded ? '      actions: read\n' : ''}      contents: ${contents}
${isSarifUploaded ? '      security-events: write\n' : ''}`;
  const after = `      - if: always()
        run: if [ -f controls.md ]; then cat controls.md >> "$GITHUB_STEP_SUMMARY"; fi
${
  isSarifUploaded
    ? `      - if: always() && hashFiles('controls.sarif') != ''
        uses: ${actions.uploadSarif}
        with:
          sarif_file: controls.sarif
          category: identity-queries
`
    : ''
}      - if: always()
        uses: ${actions.uploadArtifact}
        with:
          name: controls
          path: controls.*
`;
  return joined([
    `# Written by: identity-queries init ci github
# Set these secrets in Settings > Secrets and variables > Actions:
${secretsOf(jobs)
  .map((name) => `#   ${name}`)
  .join('\n')}
# Pull requests from forks get none of them: only the job "check" runs for those.
name: Identity Queries
on:
  pull_request:
`,
    hasQueries &&
      `  push:
    # What is merged into this branch is pushed to the service.
    branches: [${branch}]
`,
    `  schedule:
    - cron: '${cron}'
  workflow_dispatch:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
${setUp('1')}
${indented(
  commands.check.map((command) => `- run: ${command}`),
  6,
)}
`,
    hasQueries &&
      `  plan:
    if: >-
      github.event_name == 'pull_request' &&
      ${isOwnRequest}
    needs: check
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
    steps:
${setUp('0')}
      - run: ${commands.plan}
        env:
${secrets(ciSecrets.connection)}
      - run: cat ${planFile} >> "$GITHUB_STEP_SUMMARY"
      - run: |
${indented(commentScript('github'), 10)}
        env:
          GITHUB_TOKEN: \${{ github.token }}
          PULL_REQUEST: \${{ github.event.pull_request.number }}
  push:
    # For an approval before each push, add "environment: production" with required reviewers.
    if: github.event_name == 'push'
    needs: check
    runs-on: ubuntu-latest
    concurrency: identity-queries-push
    permissions:
      # For the IDs of new queries.
      contents: write
    steps:
${setUp('0')}
      - run: |
${indented(commands.push, 10)}
        env:
          GITHUB_TOKEN: \${{ github.token }}
${secrets(ciSecrets.connection)}
  drift:
    # Fails when a query was edited on the service, as a reminder to pull it.
    if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'
    runs-on: ubuntu-latest
    steps:
${setUp('0')}
      - run: ${commands.drift}
        env:
${secrets(ciSecrets.connection)}
      - if: always()
        run: if [ -f ${planFile} ]; then cat ${planFile} >> "$GITHUB_STEP_SUMMARY"; fi
`,
    hasControls &&
      `  controls:
    if: github.event_name == 'pull_request' && ${isOwnRequest}
    needs: check
    runs-on: ubuntu-latest
    permissions:
${rights('read')}    steps:
${setUp('1')}
      - run: ${commands.controls}
        env:
${secrets(ciSecrets.controls)}
${after}  history:
${notifyLines(jobs, 4)}    if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'
    needs: check
    runs-on: ubuntu-latest
    concurrency: identity-queries-history
    permissions:
      # For the branch with the outcomes.
${rights('write')}    steps:
${setUp('1')}
      - run: |
${indented(commands.history, 10)}
        env:
          GITHUB_TOKEN: \${{ github.token }}
${secrets([...ciSecrets.controls, ...jobs.notify.variables])}
${after}`,
  ]);
}

/** @param depth 0 fetches the whole history, which a plan needs. */
function setUpSteps(depth: '0' | '1', { program }: Pick<CiJobs, 'program'>): string {
  return `      - uses: ${actions.checkout}
        with:
          fetch-depth: ${depth}
          persist-credentials: false
      - uses: ${actions.setupNode}
        with:
          node-version: 24
      - run: |
${indented(program.install, 10)}`;
}

function secrets(names: readonly string[]): string {
  return indented(
    names.map((name) => `${name}: \${{ secrets.${name} }}`),
    10,
  );
}
