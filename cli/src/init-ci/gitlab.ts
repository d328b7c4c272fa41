/** The pipeline for GitLab. */
import { commentScript } from './comment-scripts.ts';
import type { CiJobs } from './jobs.ts';
import { commandsOf, cron, indented, joined, notifyLines, planFile, secretsOf } from './steps.ts';

/** Excludes merge requests from forks, whose pipelines do not receive secrets. */
const isOwnRequest =
  '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID';
const isMerged = '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
const isScheduled = '$CI_PIPELINE_SOURCE == "schedule" || $CI_PIPELINE_SOURCE == "web"';

const artifacts = (more: string) => `  artifacts:
    when: always
    paths: [controls.xml, controls.sarif, controls.md${more}]
    reports:
      junit: controls.xml
`;

export function gitlabWorkflow(jobs: CiJobs): string {
  const commands = commandsOf(jobs, '"$CI_DEFAULT_BRANCH"');
  const { hasQueries, hasControls, program } = jobs;
  const setUp = `    - |
${indented(program.install, 6)}`;
  return joined([
    `# Written by: identity-queries init ci gitlab
# Jobs for merge requests, for the default branch, and for a schedule that you add in Build > Pipeline schedules
# (for example ${cron}). Set these as masked variables in Settings > CI/CD > Variables:
${secretsOf(jobs)
  .map((name) => `#   ${name}`)
  .join('\n')}
`,
    hasQueries &&
      `# For the plan as a comment, also IDENTITY_QUERIES_COMMENT_TOKEN: a project access token with the scope "api".
`,
    hasQueries &&
      `# For the IDs of new queries, allow Git push requests in Settings > CI/CD > Job token permissions.
`,
    !hasQueries &&
      hasControls &&
      `# For the branch with the outcomes, allow Git push requests in Settings > CI/CD > Job token permissions.
`,
    `# Merge requests from forks get none of them: only the job "identity-queries-check" runs for those.
identity-queries-check:
  image: node:24
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
${hasQueries ? `    - if: ${isMerged}\n` : ''}    - if: ${isScheduled}
  script:
${setUp}
${indented(
  commands.check.map((command) => `- ${command}`),
  4,
)}
`,
    hasQueries &&
      `identity-queries-plan:
  image: node:24
  needs: [identity-queries-check]
  rules:
    - if: ${isOwnRequest}
  variables:
    GIT_DEPTH: '0'
  script:
${setUp}
    - ${commands.plan}
    - |
      if [ -n "$IDENTITY_QUERIES_COMMENT_TOKEN" ]; then
${indented(commentScript('gitlab'), 6)}
      fi
  artifacts:
    expose_as: Plan of saved queries
    paths: [${planFile}]
identity-queries-push:
  image: node:24
  needs: [identity-queries-check]
  resource_group: identity-queries-push
  rules:
    - if: ${isMerged}
  variables:
    GIT_DEPTH: '0'
  script:
${setUp}
    - |
${indented(commands.push, 6)}
identity-queries-drift:
  # Fails when a query was edited on the service, as a reminder to pull it.
  image: node:24
  rules:
    - if: ${isScheduled}
  variables:
    GIT_DEPTH: '0'
  script:
${setUp}
    - ${commands.drift}
  artifacts:
    when: always
    paths: [${planFile}]
`,
    hasControls &&
      `identity-queries-controls:
  image: node:24
  needs: [identity-queries-check]
  rules:
    - if: ${isOwnRequest}
  script:
${setUp}
    - ${commands.controls}
${artifacts('')}identity-queries-history:
${notifyLines(jobs, 2)}  image: node:24
  needs: [identity-queries-check]
  # The outcomes are kept on the branch identity-queries-history, by one job at a time.
  resource_group: identity-queries-history
  rules:
    - if: ${isScheduled}
  script:
${setUp}
    - |
${indented(commands.history, 6)}
${artifacts(', controls.html')}`,
  ]);
}
