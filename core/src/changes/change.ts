/** A change and all its possible states. Does not depend on the editor. */

/** One change to one target. All IDs are global IDs. */
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

/** The service's report on one target of a job, without unknown members. */
export interface TargetOutcome {
  readonly globalId: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  /** Whether the service's data shows the change; undefined if the report does not include this. */
  readonly reflected?: boolean | undefined;
}

export interface JobView {
  readonly status: string;
  readonly isOver: boolean;
  readonly targets: readonly TargetOutcome[];
  /** The raw record, if it does not have the expected shape. */
  readonly unknown?: unknown;
}

/** What arrived instead of an outcome: an HTTP status, or a part of a response. */
export type OddResponse = number | 'part';

export type ChangeState =
  /** Confirmed but not sent yet. `until` is set if the service asked for a pause. */
  | { readonly kind: 'waiting'; readonly until?: number | undefined }
  /** The request may have been sent. Stored before sending. */
  | { readonly kind: 'sending'; readonly at: number }
  /** The request did not reach the service or was never sent. Nothing changed. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The service refused the change. Nothing changed. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly code: string;
      readonly status?: number | undefined;
    }
  /** Sent, but no outcome came back. The record determines the outcome; the request is never resent. */
  | {
      readonly kind: 'unanswered';
      readonly at: number;
      readonly reason: string;
      /** Undefined if nothing arrived. */
      readonly response?: OddResponse | undefined;
      /** What the last reading of the record found: no change yet, or that it could not be read. */
      readonly found?: { readonly kind: 'unchanged' | 'unread'; readonly at: number } | undefined;
    }
  /** The service runs the change as a job. */
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
  /** No outcome arrived; the record later showed the change. */
  | { readonly kind: 'found-changed'; readonly at: number; readonly response?: OddResponse | undefined }
  /** No outcome arrived; the record did not show the change within the time limit. */
  | { readonly kind: 'found-unchanged'; readonly at: number; readonly response?: OddResponse | undefined }
  /** No outcome arrived, and the record could not be read. */
  | {
      readonly kind: 'unknown';
      readonly at: number;
      readonly reason: string;
      readonly response?: OddResponse | undefined;
    };

export interface ChangeTarget {
  readonly operation: Operation;
  /** The names that the user saw when confirming. */
  readonly label: string;
  readonly state: ChangeState;
}

/** A confirmation of one kind of change to one or more targets. */
export interface Confirmation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly connectionKey: string;
  /** Name of the connection when the change was confirmed. */
  readonly connection: string;
  readonly environment?: string | undefined;
  /** The client ID of the connection, which identifies the client that made the change. */
  readonly clientId: string;
  /** Milliseconds since 1970. */
  readonly confirmedAt: number;
  readonly targets: readonly ChangeTarget[];
}

/** Returns whether the state is final and needs no further action. */
export function isSettled({ kind }: ChangeState): boolean {
  return {
    ...{ waiting: false, sending: false, unanswered: false, accepted: false },
    ...{ 'not-sent': true, refused: true, ended: true, unknown: true },
    ...{ 'found-changed': true, 'found-unchanged': true },
  }[kind];
}

/** Returns whether a request was sent, and neither a response nor the record has shown its outcome. */
export function isUnclear({ kind }: ChangeState): boolean {
  return kind === 'unanswered' || kind === 'found-unchanged' || kind === 'unknown';
}

/** Returns whether the same change may be proposed again: nothing was done, as far as the service shows. */
export function isRepeatable({ kind }: ChangeState): boolean {
  return kind === 'not-sent' || kind === 'refused' || kind === 'found-unchanged';
}

/** Returns an ended confirmation whose unclear outcomes are open again; undefined if it has none. */
export function reopened(confirmation: Confirmation): Confirmation | undefined {
  if (!isOver(confirmation) || !confirmation.targets.some(({ state }) => isUnclear(state))) return undefined;
  const targets = confirmation.targets.map((target): ChangeTarget => {
    const { state } = target;
    if (state.kind !== 'found-unchanged' && state.kind !== 'unknown') return target;
    const reason = state.kind === 'unknown' ? state.reason : '';
    const { at, response } = state;
    return { ...target, state: { kind: 'unanswered', at, reason, ...(response && { response }) } };
  });
  return { ...confirmation, targets };
}

/** Returns whether the data may differ from before the change. */
export function mayHaveChanged({ state }: Pick<ChangeTarget, 'state'>): boolean {
  return isSettled(state) && state.kind !== 'not-sent' && state.kind !== 'refused';
}

export function isOver(confirmation: Confirmation): boolean {
  return confirmation.targets.every(({ state }) => isSettled(state));
}

/** Returns the ID by which reports identify the target of an operation. */
export function targetIdOf(operation: Operation): string {
  return operation.kind === 'remove-group-access' ? operation.group : operation.account;
}

/** Returns the IDs of all records that an operation affects. */
export function idsOf({ kind: _, ...ids }: Operation): readonly string[] {
  return Object.values(ids);
}
