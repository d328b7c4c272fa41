/** Options for a workflow. */

/** The parts of a repository; jobs for missing parts would fail every night. */
export interface CiContent {
  /** Whether there are saved query files, with an index. */
  readonly hasQueries: boolean;
  readonly hasControls: boolean;
  /** The main branch, where the service does not say which that is. */
  readonly branch: string;
}

/** How a job gets and starts this program. */
export interface CiProgram {
  /** Shell commands that install and verify it. */
  readonly install: readonly string[];
  readonly command: string;
}

/** Who is told what is new in the outcomes of controls. */
export interface CiNotify {
  /** The file of receivers, from the root of the repository; undefined for none. */
  readonly file: string | undefined;
  /** The names of the variables that it names. */
  readonly variables: readonly string[];
}

export interface CiJobs extends CiContent {
  readonly notify: CiNotify;
  readonly program: CiProgram;
  /** Whether GitHub's code scanning gets the findings of controls; private repositories may not have it. */
  readonly isSarifUploaded: boolean;
}
