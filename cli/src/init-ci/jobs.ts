/** Options for a workflow. */

/** The parts of a repository; jobs for missing parts would fail every night. */
export interface CiContent {
  /** Whether there are saved query files, with an index. */
  readonly hasQueries: boolean;
  readonly hasControls: boolean;
}

export interface CiJobs extends CiContent {
  /** The version of this program to pin, since others may behave differently. */
  readonly version: string;
}
