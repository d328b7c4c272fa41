/** A folder, a repository or a program that is not as it must be: what is wrong, and what to do. */
import { ExpectedError } from '../util/failure.ts';

export type SyncErrorKind =
  | 'noGit'
  | 'noRepository'
  | 'distrusted'
  | 'shallow'
  | 'partial'
  | 'detached'
  | 'noCommit'
  | 'gitFailed'
  | 'folder'
  | 'lineEnds'
  | 'notWritable'
  | 'service'
  | 'plan'
  | 'name'
  | 'busy';

export class SyncError extends ExpectedError {
  readonly kind: SyncErrorKind;
  /** Lines to type, or to read; the last part of what is said. */
  readonly help: readonly string[];

  constructor(kind: SyncErrorKind, message: string, help: readonly string[] = [], options?: ErrorOptions) {
    super(message, [], options);
    this.name = 'SyncError';
    this.kind = kind;
    this.help = help;
  }
}
