/**
 * The single gate that every query passes before it is sent. A query proven read-only passes, one proven to change data
 * is refused, and the user decides on all others. Neither comments in the query nor severity settings affect this.
 */
import type { CalledPart, StatementInfo } from '#server/protocol.ts';

export interface GateFacts {
  /** Whether the user's settings require proof; if not, only the service decides. */
  readonly isProofRequired: boolean;
  /** Whether the service has already run exactly this query, even though the checks could not parse it. */
  readonly isKnownToRun: boolean;
  /** Whether the user has already accepted this call on the connection. */
  readonly isAccepted: (part: CalledPart) => boolean;
}

export type AskReason = 'syntax-error' | 'unverified' | 'side-effects' | 'unknown-function';

export type Permission =
  /** `isProven`: the query is proven read-only. Otherwise a setting, an acceptance or an earlier run permits it. */
  | { readonly kind: 'go'; readonly isProven: boolean }
  | { readonly kind: 'refuse' }
  /** `parts`: the calls that the question is about. */
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
      // Asked before every run, because every run has the side effect.
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
      // Another server version may send an unknown verdict, which proves nothing.
      verdict satisfies never;
      return { kind: 'ask', reason: 'unverified', parts: [] };
  }
}

/** Whether the question is about columns that their tables lack, which PostgreSQL would take for function calls. */
export const areUnknownColumns = (parts: readonly CalledPart[]): boolean =>
  parts.length > 0 && parts.every(({ isColumn }) => isColumn === true);
