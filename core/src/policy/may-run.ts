/**
 * The one gate that a query passes before it is sent. What is proven to only read goes; what is proven not to is
 * refused; about everything else the person is asked. No comment in the text and no severity changes the answer.
 */
import type { CalledPart, StatementInfo } from '../../../server/src/protocol.ts';

export interface GateFacts {
  /** The person's setting; without it the service alone decides what it refuses. */
  readonly isProofRequired: boolean;
  /** Whether the service ran this very text although the checks did not understand it. */
  readonly isKnownToRun: boolean;
  /** Whether the person has run this on the connection before, knowing that nobody knows what it does. */
  readonly isAccepted: (part: CalledPart) => boolean;
}

export type AskReason = 'syntax-error' | 'unverified' | 'side-effects' | 'unknown-function';

export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'refuse' }
  /** `parts`: what the question is about, where it is about what the statement calls. */
  | { readonly kind: 'ask'; readonly reason: AskReason; readonly parts: readonly CalledPart[] };

const go: Permission = { kind: 'go' };

export function mayRun(
  { verdict, calls = [] }: Pick<StatementInfo, 'verdict' | 'calls'>,
  { isProofRequired, isKnownToRun, isAccepted }: GateFacts,
): Permission {
  switch (verdict) {
    case 'read-only':
      return go;
    case 'not-read-only':
      return isProofRequired ? { kind: 'refuse' } : go;
    case 'syntax-error':
    case 'unverified':
      return isKnownToRun ? go : { kind: 'ask', reason: verdict, parts: [] };
    case 'side-effects': {
      // Asked before each run: what it changes, it changes each time.
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
      // A server of another version may say something else: nothing is known then.
      verdict satisfies never;
      return { kind: 'ask', reason: 'unverified', parts: [] };
  }
}
