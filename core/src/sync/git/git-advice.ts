/** The commands of Git that messages about a folder of saved queries tell the user to type. */
import { deleteFile, git, goTo, identityQueries, moveFile, type Typed } from '#base/advice.ts';

/** What Git begins, and may wait for the user to end. */
export type GitOperation = 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'merge' | 'bisect';

/** Each is a list, to be typed in order. */
export const gitAdvice = {
  fetchHistory: (): readonly Typed[] => [git('fetch', '--unshallow')],
  // From the root, since a folder is relative to where this is typed.
  checkOut: (top: string, folder: string): readonly Typed[] => [
    goTo(top),
    git('sparse-checkout', 'add', folder),
  ],
  cloneBeside: (bare: string, clone: string): readonly Typed[] => [git('clone', bare, clone), goTo(clone)],
  leaveGitFolder: (above: string): readonly Typed[] => [goTo(above)],
  commitFirst: (): readonly Typed[] => [
    identityQueries('pull'),
    // From any folder of the repository, and wherever in it the queries are.
    git('add', ':(top,glob)**/queries/**'),
    git('commit', '-m', 'Add saved queries'),
  ],
  trustFolder: (folder: string): readonly Typed[] => [
    git('config', '--global', '--add', 'safe.directory', folder),
  ],
  createRepository: (folder: string): readonly Typed[] => [git('init', folder)],
  switchToBranch: (branch: string): readonly Typed[] => [git('switch', branch)],
  finishOperation: (operation: Exclude<GitOperation, 'bisect'>): readonly Typed[] => [
    git(operation, '--continue'),
  ],
  giveUpOperation: (operation: GitOperation): readonly Typed[] => [
    operation === 'bisect' ? git('bisect', 'reset') : git(operation, '--abort'),
  ],
  createBranch: (name: string): readonly Typed[] => [git('switch', '-c', name)],
  // Also what is staged: `git restore` takes a file from there.
  restoreFile: (file: string): readonly Typed[] => [git('checkout', 'HEAD', '--', file)],
  // The damage is in the last commit, too.
  takeFrom: (commit: string, file: string): readonly Typed[] => [git('checkout', commit, '--', file)],
  removeFile: (file: string): readonly Typed[] => [deleteFile(file)],
  renameFile: (file: string, to: string): readonly Typed[] => [moveFile(file, to)],
  takeOurs: (file: string): readonly Typed[] => [git('checkout', '--ours', file)],
  takeTheirs: (file: string): readonly Typed[] => [git('checkout', '--theirs', file)],
  keepLineEnds: (top: string, folder: string, attributes: string, pattern: string): readonly Typed[] => [
    goTo(top),
    {
      program: 'echo',
      args: [`${pattern} -text`],
      output: { file: `${folder}/${attributes}`, append: true },
    },
    git('rm', '-r', '-q', '--cached', folder),
    git('add', folder),
    git('commit', '-m', 'Keep line ends of queries'),
    git('checkout', 'HEAD', '--', folder),
  ],
} as const;
