/** The pipeline for Azure Pipelines. */
import { commentScript } from './comment-scripts.ts';
import type { CiJobs } from './jobs.ts';
import { ciSecrets, commandsOf, cron, indented, joined, notifyLines, planFile, secretsOf } from './steps.ts';

const isOwnRequest =
  "eq(variables['Build.Reason'], 'PullRequest'), ne(variables['System.PullRequest.IsFork'], 'True')";
const isScheduled = "in(variables['Build.Reason'], 'Schedule', 'Manual')";

export function azureWorkflow(jobs: CiJobs): string {
  const { hasQueries, hasControls, program, branch } = jobs;
  const commands = commandsOf(jobs, branch);
  const setUp = (depth: '0' | '1', options?: { readonly isPushing: boolean }) =>
    `${checkout(depth, options)}
      - script: |
${script(program.install)}`;
  return joined([
    `# Written by: identity-queries init ci azure
# Set these as secret variables of the pipeline:
${secretsOf(jobs)
  .map((name) => `#   ${name}`)
  .join('\n')}
# Pull requests from forks get none of them: only the job "check" runs for those.
`,
    hasQueries &&
      `# For the plan as a comment, let the build service contribute to pull requests (Repositories > Security).
# For the IDs of new queries, and the outcomes of controls, let it contribute to the repository.
# In Azure Repos, pull requests are built by a branch policy, not by "pr".
`,
    hasQueries
      ? `trigger:
  batch: true
  branches:
    # What is merged into this branch is pushed to the service.
    include: [${branch}]
`
      : `trigger: none
`,
    `pr:
  branches:
    include: ['*']
schedules:
  - cron: '${cron}'
    displayName: Each working day
    branches:
      include: [${branch}]
    always: true
pool:
  vmImage: ubuntu-latest
jobs:
  - job: check
    steps:
${setUp('1')}
${indented(
  commands.check.map((command) => `- script: ${command}`),
  6,
)}
`,
    hasQueries &&
      `  - job: plan
    dependsOn: check
    condition: and(succeeded(), ${isOwnRequest})
    steps:
${setUp('0')}
      - script: ${commands.plan}
        env:
${secrets(ciSecrets.connection)}
      - script: echo "##vso[task.uploadsummary]$BUILD_SOURCESDIRECTORY/${planFile}"
      - script: |
${indented(commentScript('azure'), 10)}
        condition: and(succeeded(), eq(variables['Build.Repository.Provider'], 'TfsGit'))
        env:
          SYSTEM_ACCESSTOKEN: $(System.AccessToken)
  - job: push
    dependsOn: check
    condition: >-
      and(succeeded(), in(variables['Build.Reason'], 'IndividualCI', 'BatchedCI'),
      eq(variables['Build.SourceBranch'], 'refs/heads/${branch}'))
    steps:
${setUp('0', { isPushing: true })}
      - script: |
${script(commands.push)}
        env:
${secrets(ciSecrets.connection)}
  - job: drift
    # Fails when a query was edited on the service, as a reminder to pull it.
    condition: ${isScheduled}
    steps:
${setUp('0')}
      - script: ${commands.drift}
        env:
${secrets(ciSecrets.connection)}
      - script: if [ -f ${planFile} ]; then echo "##vso[task.uploadsummary]$BUILD_SOURCESDIRECTORY/${planFile}"; fi
        condition: succeededOrFailed()
`,
    hasControls &&
      `  - job: controls
    dependsOn: check
    condition: and(succeeded(), ${isOwnRequest})
    steps:
${setUp('1')}
      - script: ${commands.controls}
        displayName: Run the controls
        env:
${secrets(ciSecrets.controls)}
${after}  - job: history
    # The outcomes are kept on the branch identity-queries-history.
${notifyLines(jobs, 4)}    dependsOn: check
    condition: and(succeeded(), ${isScheduled})
    steps:
${setUp('1', { isPushing: true })}
      - script: |
${script(commands.history)}
        displayName: Run the controls
        env:
${secrets([...ciSecrets.controls, ...jobs.notify.variables])}
${after}`,
  ]);
}

/** Unlike the other services, Azure goes on after a command that failed, such as one that verifies a digest. */
function script(lines: readonly string[]): string {
  return indented(['set -e', ...lines], 10);
}

/** What becomes of the reports. */
const after = `      - task: PublishTestResults@2
        condition: succeededOrFailed()
        inputs:
          testResultsFormat: JUnit
          testResultsFiles: controls.xml
          testRunTitle: Controls
      - publish: controls.md
        condition: succeededOrFailed()
        artifact: controls
`;

/** @param depth 0 fetches the whole history, which a plan needs. */
function checkout(depth: '0' | '1', { isPushing = false } = {}): string {
  return `      - checkout: self
        fetchDepth: ${depth}
        persistCredentials: ${isPushing}
      - task: UseNode@1
        inputs:
          version: 24.x`;
}

function secrets(names: readonly string[]): string {
  return indented(
    names.map((name) => `${name}: $(${name})`),
    10,
  );
}
