/** Options for a workflow. */

/** The parts of a repository; jobs for missing parts would fail every night. */
export interface CiContent {
  /** Whether there are saved query files, with an index. */
  readonly hasQueries: boolean;
  readonly hasControls: boolean;
}

/** How a job gets and starts this program. */
export interface CiProgram {
  /** Shell commands that install and verify it. */
  readonly install: readonly string[];
  readonly command: string;
}

export interface CiJobs extends CiContent {
  readonly program: CiProgram;
  /** Whether GitHub's code scanning gets the findings of controls; private repositories may not have it. */
  readonly isSarifUploaded: boolean;
}
