/**
 * The single gate that a query passes before it is sent. A query proven read-only passes; one proven to change data is
 * refused; the person decides about all others. No comment in the text and no severity changes this.
 */
import type { CalledPart, StatementInfo } from '../../../server/src/protocol.ts';

export interface GateFacts {
  /** The person's setting; if off, only the service decides. */
  readonly isProofRequired: boolean;
  /** Whether the service ran exactly this text although the checks could not parse it. */
  readonly isKnownToRun: boolean;
  /** Whether the person accepted this call on the connection before. */
  readonly isAccepted: (part: CalledPart) => boolean;
}

export type AskReason = 'syntax-error' | 'unverified' | 'side-effects' | 'unknown-function';

export type Permission =
  /** `isProven`: it only reads. Otherwise a setting, an acceptance or an earlier run lets it through. */
  | { readonly kind: 'go'; readonly isProven: boolean }
  | { readonly kind: 'refuse' }
  /** `parts`: the called parts that the question is about. */
  | { readonly kind: 'ask'; readonly reason: AskReason; readonly parts: readonly CalledPart[] };

const proven: Permission = { kind: 'go', isProven: true };
const go: Permission = { kind: 'go', isProven: false };

export function mayRun(
  { verdict, calls = [] }: Pick<StatementInfo, 'verdict' | 'calls'>,
  { isProofRequired, isKnownToRun, isAccepted }: GateFacts,
): Permission {
  switch (verdict) {
    case 'read-only':
      return proven;
    case 'not-read-only':
      return isProofRequired ? { kind: 'refuse' } : go;
    case 'syntax-error':
    case 'unverified':
      return isKnownToRun ? go : { kind: 'ask', reason: verdict, parts: [] };
    case 'side-effects': {
      // Asked before each run: each run has the side effect.
      const parts = calls.filter(({ does }) => does !== undefined);
      return isProofRequired ? { kind: 'ask', reason: verdict, parts } : go;
    }
    case 'unknown-function': {
      const parts = calls.filter((part) => !isAccepted(part));
      return isProofRequired && (parts.length > 0 || calls.length === 0)
        ? { kind: 'ask', reason: verdict, parts }
        : go;
    }
    default:
      // Another server version may parse it differently: then nothing is known.
      verdict satisfies never;
      return { kind: 'ask', reason: 'unverified', parts: [] };
  }
}
