/** A change and all its possible states. Independent of the editor. */

/** One change of one target. Ids are global ids. */
export type Operation =
  | { readonly kind: 'disable-account'; readonly account: string }
  | { readonly kind: 'remove-account-access'; readonly application: string; readonly account: string }
  | { readonly kind: 'remove-group-access'; readonly application: string; readonly group: string }
  | { readonly kind: 'add-member'; readonly group: string; readonly account: string }
  | { readonly kind: 'remove-member'; readonly group: string; readonly account: string };
export type OperationKind = Operation['kind'];

export function isMembershipKind(kind: OperationKind): boolean {
  return kind === 'add-member' || kind === 'remove-member';
}

/** A service's report about one target of a job, without unknown members. */
export interface TargetOutcome {
  readonly globalId: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  /** Whether the service's data shows the change; undefined if it does not say. */
  readonly reflected?: boolean | undefined;
}

export interface JobView {
  readonly status: string;
  readonly isOver: boolean;
  readonly targets: readonly TargetOutcome[];
  /** The raw record, if it does not have the expected shape. */
  readonly unknown?: unknown;
}

export type ChangeState =
  /** Confirmed, not sent yet; `until`: the service asked for a pause. */
  | { readonly kind: 'waiting'; readonly until?: number | undefined }
  /** The request may have been sent. Stored before sending. */
  | { readonly kind: 'sending'; readonly at: number }
  /** Nothing reached the service, or it was never tried. Nothing changed. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The service refused. Nothing changed. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly code: string;
      readonly status?: number | undefined;
    }
  /** Sent without a response: the record decides the outcome; it is never guessed and never resent. */
  | { readonly kind: 'unanswered'; readonly at: number; readonly reason: string }
  /** The service follows it as a job. */
  | {
      readonly kind: 'accepted';
      readonly at: number;
      readonly jobId: string;
      readonly job?: JobView | undefined;
    }
  /** The job ended, or can no longer be polled (`problem`). */
  | {
      readonly kind: 'ended';
      readonly at: number;
      readonly jobId: string;
      readonly job?: JobView | undefined;
      readonly problem?: string | undefined;
    }
  /** No response arrived; the record later showed the change. */
  | { readonly kind: 'found-changed'; readonly at: number }
  /** No response arrived; the record did not show the change within the time limit. */
  | { readonly kind: 'found-unchanged'; readonly at: number }
  /** No response arrived, and the record could not be read. */
  | { readonly kind: 'unknown'; readonly at: number; readonly reason: string };

export interface ChangeTarget {
  readonly operation: Operation;
  /** The names the person saw when they confirmed. */
  readonly label: string;
  readonly state: ChangeState;
}

/** One confirmation: the same kind of change for one or more targets. */
export interface Confirmation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly connectionKey: string;
  /** Name of the connection at confirmation. */
  readonly connection: string;
  readonly environment?: string | undefined;
  /** The acting client: the client ID of the connection. */
  readonly clientId: string;
  /** Milliseconds since 1970. */
  readonly confirmedAt: number;
  readonly targets: readonly ChangeTarget[];
}

/** Whether the state is final without further action. */
export function isSettled({ kind }: ChangeState): boolean {
  switch (kind) {
    case 'waiting':
    case 'sending':
    case 'unanswered':
    case 'accepted':
      return false;
    case 'not-sent':
    case 'refused':
    case 'ended':
    case 'found-changed':
    case 'found-unchanged':
    case 'unknown':
      return true;
    default:
      return kind satisfies never;
  }
}

export function isOver(confirmation: Confirmation): boolean {
  return confirmation.targets.every(({ state }) => isSettled(state));
}

/** The target that reports name for this operation. */
export function targetIdOf(operation: Operation): string {
  return operation.kind === 'remove-group-access' ? operation.group : operation.account;
}

/** Every record that an operation affects. */
export function idsOf({ kind: _, ...ids }: Operation): readonly string[] {
  return Object.values(ids);
}
