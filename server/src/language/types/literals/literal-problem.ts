/** Why a literal is not of its type. */
export interface LiteralProblem {
  /** PostgreSQL's message. */
  readonly message: string;
  /** Returns a sentence that shows a valid way to write the literal. */
  readonly remedy?: () => string;
}
