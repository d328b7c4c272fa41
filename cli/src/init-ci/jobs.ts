/** The options of a workflow. */

/** The parts of a repository; jobs for missing ones would fail every night. */
export interface CiContent {
  /** Files of saved queries, with their index. */
  readonly hasQueries: boolean;
  readonly hasControls: boolean;
}

export interface CiJobs extends CiContent {
  /** The version of this program: another one may behave differently. */
  readonly version: string;
}
