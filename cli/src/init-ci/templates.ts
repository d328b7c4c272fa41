/**
 * CI workflows for a repository with queries: a table of services, each with the same jobs in its own syntax. They
 * contain only the names of secrets, whose values are set in the CI service. Pull requests from forks do not receive
 * secrets, so only the check runs for them.
 */
import { azureWorkflow } from './azure.ts';
import { githubWorkflow } from './github.ts';
import { gitlabWorkflow } from './gitlab.ts';
import type { CiJobs } from './jobs.ts';

export const ciServices = ['github', 'gitlab', 'azure'] as const;
export type CiService = (typeof ciServices)[number];

export interface CiFile {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly textOf: (jobs: CiJobs) => string;
}

export const ciFiles: Readonly<Record<CiService, CiFile>> = {
  github: { file: '.github/workflows/identity-queries.yml', textOf: githubWorkflow },
  gitlab: { file: '.gitlab-ci.yml', textOf: gitlabWorkflow },
  azure: { file: 'azure-pipelines.yml', textOf: azureWorkflow },
};
