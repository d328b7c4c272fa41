/** Explains why a secret could not be read, and what to do. */
import type { SecretSourceProblem } from '#core/connections/secret-sources.ts';

/** @param of the beginning of the sentence, for example `The digest key`. */
export function saySecretProblem(problem: SecretSourceProblem, of: string): string {
  switch (problem.kind) {
    case 'variable-not-set':
      return `${of} comes from the environment variable ${problem.name}, which is not set. Set it and try again.`;
    case 'program-not-found':
      return `${of} comes from a program that can't be started: ${problem.program}. It is started without a shell: check its path.`;
    case 'program-too-slow':
      return `${of} comes from a program that did not end within ${problem.seconds} seconds: ${problem.program}. Run it in a terminal to see whether it asks for input.`;
    case 'program-failed':
      return `${of} comes from a program that failed (exit code ${problem.exitCode ?? '?'}): ${problem.program}. Run it in a terminal to see why.`;
    case 'program-printed-nothing':
      return `${of} comes from a program that printed nothing on its first line: ${problem.program}.`;
    default:
      return problem satisfies never;
  }
}
