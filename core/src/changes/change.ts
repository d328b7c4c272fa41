/** What a change is, and every state it can be in. No editor API in here. */

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

/** What a service says of a target of a job; members it does not know are left out. */
export interface TargetOutcome {
  readonly globalId: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  /** Whether the service's own data shows the change; undefined where it does not say. */
  readonly reflected?: boolean | undefined;
}

export interface JobView {
  readonly status: string;
  readonly isOver: boolean;
  readonly targets: readonly TargetOutcome[];
  /** The record as it came, where it does not have the shape that was agreed on. */
  readonly unknown?: unknown;
}

export type ChangeState =
  /** Confirmed, and not on its way yet; `until`: the service asked for a pause. */
  | { readonly kind: 'waiting'; readonly until?: number | undefined }
  /** The request may be on its way. Written before it is sent. */
  | { readonly kind: 'sending'; readonly at: number }
  /** Nothing reached the service, or it was never tried. Nothing changed. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The service said no. Nothing changed. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly code: string;
      readonly status?: number | undefined;
    }
  /** Sent, and no answer came: what became of it is read from the record, never guessed, never sent again. */
  | { readonly kind: 'unanswered'; readonly at: number; readonly reason: string }
  /** The service follows it as a job. */
  | {
      readonly kind: 'accepted';
      readonly at: number;
      readonly jobId: string;
      readonly job?: JobView | undefined;
    }
  /** The job has ended, or cannot be asked for any more (`problem`). */
  | {
      readonly kind: 'ended';
      readonly at: number;
      readonly jobId: string;
      readonly job?: JobView | undefined;
      readonly problem?: string | undefined;
    }
  /** No answer came; the record showed the change afterwards. */
  | { readonly kind: 'found-changed'; readonly at: number }
  /** No answer came; the record did not show the change as long as it was looked at. */
  | { readonly kind: 'found-unchanged'; readonly at: number }
  /** No answer came, and the record could not be read. */
  | { readonly kind: 'unknown'; readonly at: number; readonly reason: string };

export interface ChangeTarget {
  readonly operation: Operation;
  /** The names the person saw when they confirmed. */
  readonly label: string;
  readonly state: ChangeState;
}

/** What a person confirmed at once: the same kind of change for one or several targets. */
export interface Confirmation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly connectionKey: string;
  /** Name of the connection when it was confirmed. */
  readonly connection: string;
  readonly environment?: string | undefined;
  /** Who changed: the client id of the connection. */
  readonly clientId: string;
  /** Milliseconds since 1970. */
  readonly confirmedAt: number;
  readonly targets: readonly ChangeTarget[];
}

/** Whether nothing more will happen to it by itself. */
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

/** The target that an operation is named by, for reports. */
export function targetIdOf(operation: Operation): string {
  return operation.kind === 'remove-group-access' ? operation.group : operation.account;
}

/** Every record that an operation concerns. */
export function idsOf({ kind: _, ...ids }: Operation): readonly string[] {
  return Object.values(ids);
}
