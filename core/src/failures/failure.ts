/** Converts any thrown value to a sentence that states the failure and its remedy. Independent of the editor. */
import {
  ApiError,
  CertificateError,
  ProxyAddressError,
  ContractError,
  RateLimitError,
  UserAbort,
} from '#api/client/errors.ts';
import { TargetError } from '#base/files/target-error.ts';
import { t } from '#base/texts.ts';
import { limitWords } from './limit-messages.ts';

/** An expected failure, whose message can be shown unchanged. */
export class ExpectedError extends Error {
  /** Commands offered with the message. */
  readonly actions: readonly FailureAction[];
  /** Whether another component already shows the failure, such as the session for its connection. */
  readonly isToldElsewhere: boolean = false;
  /** Tries to remove the cause; a command then runs once more. Undefined if that can't help. */
  readonly recover: Recover | undefined;
  /** Whether it only says that there is no connection, so that it is out of date once there is one. */
  readonly isOfConnection: boolean;

  constructor(message: string, actions: readonly FailureAction[] = [], options?: ExpectedErrorOptions) {
    super(message, options);
    this.name = 'ExpectedError';
    this.actions = actions;
    this.recover = options?.recover;
    this.isOfConnection = options?.isOfConnection === true;
  }
}

export type Recover = () => Promise<unknown>;

interface ExpectedErrorOptions extends ErrorOptions {
  readonly recover?: Recover | undefined;
  readonly isOfConnection?: boolean;
}

export interface FailureAction {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

export type Failure =
  /** The user declined, so nothing is shown. */
  | { readonly kind: 'cancelled' }
  /** An expected failure, shown unchanged. */
  | { readonly kind: 'expected'; readonly message: string; readonly actions: readonly FailureAction[] }
  /** A bug, logged with its stack. */
  | { readonly kind: 'unexpected'; readonly message: string };

export function failureOf(error: unknown): Failure {
  if (error instanceof UserAbort) return { kind: 'cancelled' };
  if (error instanceof Error && (error.name === 'Canceled' || error.name === 'AbortError'))
    return { kind: 'cancelled' };
  if (error instanceof ExpectedError)
    return { kind: 'expected', message: error.message, actions: error.actions };
  if (error instanceof TargetError)
    return {
      kind: 'expected',
      message: t('"{0}" could not be written: {1}.', error.path, error.reason),
      actions: [],
    };
  if (error instanceof RateLimitError)
    return { kind: 'expected', message: limitWords(error, Date.now()), actions: [] };
  if (
    error instanceof ApiError ||
    error instanceof ContractError ||
    error instanceof CertificateError ||
    error instanceof ProxyAddressError
  ) {
    return { kind: 'expected', message: error.message, actions: [] };
  }
  return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}
