/**
 * Workflow files for the CI of a repository with queries. Jobs are a table, so that another one is a few lines in each
 * dialect. Secrets are only named: their values are set where the CI keeps them.
 */

export const ciServices = ['github', 'gitlab', 'azure'] as const;
export type CiService = (typeof ciServices)[number];

export interface CiFile {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
}

/** The variables that the command line reads its connection and its digest key from. */
export const ciSecrets = [
  'IDENTITY_QUERIES_BASE_URL',
  'IDENTITY_QUERIES_AUTH_URL',
  'IDENTITY_QUERIES_CLIENT_ID',
  'IDENTITY_QUERIES_CLIENT_SECRET',
  'IDENTITY_QUERIES_DIGEST_KEY',
] as const;

const run =
  'npx --yes identity-queries controls run . --report junit=controls.xml sarif=controls.sarif markdown=controls.md';
const check = 'npx --yes identity-queries controls list .';
/** Every morning of a working day, in UTC. */
const cron = '0 5 * * 1-5';

export const ciFiles: Readonly<Record<CiService, CiFile>> = {
  github: {
    file: '.github/workflows/identity-queries.yml',
    text: `# Controls of the queries in this repository: each working day, and for pull requests.
# Set these secrets in Settings > Secrets and variables > Actions:
${ciSecrets.map((name) => `#   ${name}`).join('\n')}
name: Identity Queries
on:
  schedule:
    - cron: '${cron}'
  pull_request:
  workflow_dispatch:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: ${check}
  controls:
    # A pull request from a fork gets no secrets, so there is nothing that it could ask.
    if: github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository
    needs: check
    runs-on: ubuntu-latest
    permissions:
      contents: read
      security-events: write
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: ${run}
        env:
${ciSecrets.map((name) => `          ${name}: \${{ secrets.${name} }}`).join('\n')}
      - if: always()
        run: if [ -f controls.md ]; then cat controls.md >> "$GITHUB_STEP_SUMMARY"; fi
      - if: always() && hashFiles('controls.sarif') != ''
        uses: github/codeql-action/upload-sarif@v4
        with:
          sarif_file: controls.sarif
          category: identity-queries
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: controls
          path: controls.*
`,
  },
  gitlab: {
    file: '.gitlab-ci.yml',
    text: `# Controls of the queries in this repository: for merge requests, and by a schedule that you add in Build > Pipeline schedules
# (for example ${cron}). Set these as masked variables in Settings > CI/CD > Variables:
${ciSecrets.map((name) => `#   ${name}`).join('\n')}
identity-queries-check:
  image: node:24
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" || $CI_PIPELINE_SOURCE == "schedule" || $CI_PIPELINE_SOURCE == "web"
  script:
    - ${check}
identity-queries-controls:
  image: node:24
  needs: [identity-queries-check]
  rules:
    # A merge request from a fork gets no secrets, so there is nothing that it could ask.
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID
    - if: $CI_PIPELINE_SOURCE == "schedule" || $CI_PIPELINE_SOURCE == "web"
  script:
    - ${run}
  artifacts:
    when: always
    paths: [controls.xml, controls.sarif, controls.md]
    reports:
      junit: controls.xml
`,
  },
  azure: {
    file: 'azure-pipelines.yml',
    text: `# Controls of the queries in this repository: each working day, and for pull requests.
# Set these as secret variables of the pipeline:
${ciSecrets.map((name) => `#   ${name}`).join('\n')}
trigger: none
pr:
  branches:
    include: ['*']
schedules:
  - cron: '${cron}'
    displayName: Each working day
    branches:
      include: [main]
    always: true
pool:
  vmImage: ubuntu-latest
steps:
  - task: UseNode@1
    inputs:
      version: 24.x
  - script: ${check}
    displayName: Check the controls
  - script: ${run}
    displayName: Run the controls
    # A pull request from a fork gets no secrets, so there is nothing that it could ask.
    condition: and(succeeded(), ne(variables['System.PullRequest.IsFork'], 'True'))
    env:
${ciSecrets.map((name) => `      ${name}: $(${name})`).join('\n')}
  - task: PublishTestResults@2
    condition: succeededOrFailed()
    inputs:
      testResultsFormat: JUnit
      testResultsFiles: controls.xml
      testRunTitle: Controls
  - publish: controls.md
    condition: succeededOrFailed()
    artifact: controls
`,
  },
};
