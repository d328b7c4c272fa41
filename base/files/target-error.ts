/** Thrown if a target that a person names cannot be written because of what it is. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  /** Follows a colon. */
  readonly reason: string;

  constructor(reason: string) {
    super(`${reason}.`);
    this.reason = reason;
  }
}
