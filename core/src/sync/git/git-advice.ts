/** The commands of Git that messages about a folder of saved queries tell the user to type. */
import { git, type Typed } from '#base/advice.ts';

/** Each is a list, to be typed in order. */
export const gitAdvice = {
  fetchHistory: (): readonly Typed[] => [git('fetch', '--unshallow')],
  commitFirst: (): readonly Typed[] => [git('add', 'queries'), git('commit', '-m', 'Add saved queries')],
  trustFolder: (folder: string): readonly Typed[] => [
    git('config', '--global', '--add', 'safe.directory', folder),
  ],
  createRepository: (): readonly Typed[] => [git('init')],
  switchToBranch: (): readonly Typed[] => [git('switch', 'main')],
  createBranch: (name: string): readonly Typed[] => [git('switch', '-c', name)],
  restoreFile: (file: string): readonly Typed[] => [git('restore', file)],
  removeFile: (file: string): readonly Typed[] => [git('rm', file)],
  renameFile: (file: string, to: string): readonly Typed[] => [git('mv', file, to)],
  takeOurs: (file: string): readonly Typed[] => [git('checkout', '--ours', file)],
  takeTheirs: (file: string): readonly Typed[] => [git('checkout', '--theirs', file)],
  keepLineEnds: (folder: string, attributes: string, pattern: string): readonly Typed[] => [
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
