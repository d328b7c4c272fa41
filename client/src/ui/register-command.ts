/** Registers commands so that all outcomes are presented in the same way. */
import * as vscode from 'vscode';
import {
  AuthError,
  ContractError,
  RateLimitError,
  ServerFaultError,
  TransportError,
} from '#api/client/errors.ts';
import type { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { stackOf } from '#base/shown-text/stack-of.ts';
import { failureDetailsOf } from '#core/failures/failure-details.ts';
import { ExpectedError, failureOf, type FailureAction } from '#core/failures/failure.ts';
import { commands, type CommandId } from '../contributions.ts';
import { parseArguments, type Parser, type ValuesOf } from './arguments.ts';
import { showDetailsAction } from './failure-details.ts';
import { isToldBySession } from './naming-failure.ts';
import { hideOnlyNotification, showConnectionError, showErrorMessage } from './shown/notifications.ts';

/** A handler that parses its own arguments. */
export type CommandHandler = (...args: readonly unknown[]) => unknown;

/** What to do with the notification about a failed command, if the command knows better than its arguments. */
export interface FollowUp {
  /** Arguments for Try Again: what the user has answered, or what was active. */
  readonly args: readonly unknown[];
  /** Called when the notification is shown; it resolves when the user has responded. */
  readonly onShown?: (shown: Promise<void>) => void;
}

const followUps = new WeakMap<object, FollowUp>();

/** Runs a part of a command whose failure is followed up like this. */
export async function withFollowUp<Result>(followUp: FollowUp, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) followUps.set(error, followUp);
    throw error;
  }
}

/** Registers a command whose handler receives parsed arguments. */
export interface RegisterCommand {
  <const Parsers extends readonly Parser<unknown>[]>(
    id: CommandId,
    parsers: Parsers,
    handler: (...args: ValuesOf<Parsers>) => unknown,
  ): vscode.Disposable;
  (id: CommandId, handler: CommandHandler): vscode.Disposable;
}

export function registerCommand<const Parsers extends readonly Parser<unknown>[]>(
  log: Logger,
  id: CommandId,
  parsers: Parsers,
  handler: (...args: ValuesOf<Parsers>) => unknown,
): vscode.Disposable;
export function registerCommand(log: Logger, id: CommandId, handler: CommandHandler): vscode.Disposable;
export function registerCommand(
  log: Logger,
  id: CommandId,
  ...how: readonly [CommandHandler] | readonly [readonly Parser<unknown>[], CommandHandler]
): vscode.Disposable {
  const [parsers, handler] = how.length === 1 ? [undefined, how[0]] : how;
  /** The notification about the command's last failure, while it is open. */
  let notice: { readonly args: readonly unknown[] } | undefined;
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      const result = await runRecovering(() =>
        handler(...(parsers === undefined ? args : argumentsOf(id, parsers, args))),
      );
      // The same has worked now, so the notification is out of date.
      if (notice !== undefined && areSame(notice.args, args)) await hideOnlyNotification();
      return result;
    } catch (error) {
      const followUp = error instanceof Error ? followUps.get(error) : undefined;
      const again = { title: vscode.l10n.t('Try Again'), command: id, arguments: followUp?.args ?? args };
      const shown = presentFailure(log, id, error, again);
      followUp?.onShown?.(shown);
      if (followUp?.onShown === undefined && waysBack(error, again).length > 0) {
        const own = { args };
        notice = own;
        void shown.finally(() => {
          if (notice === own) notice = undefined;
        });
      }
      return undefined;
    }
  });
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  const given = (args: readonly unknown[]) => args.filter((arg) => arg !== undefined);
  const [a, b] = [given(some), given(others)];
  return a.length === b.length && a.every((arg, at) => arg === b[at]);
}

/** Runs the work once more if the cause of its failure may have been removed. */
async function runRecovering(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ExpectedError) || error.recover === undefined) throw error;
    await error.recover();
    return await work();
  }
}

/** Returns a function that registers commands and adds them to a store. */
export function commandsIn(disposables: DisposableStore, log: Logger): RegisterCommand {
  return (id: CommandId, ...how: readonly unknown[]) =>
    disposables.add(registerCommand(log, id, ...(how as [CommandHandler]))); // the interface checks the types
}

/** @throws ExpectedError if the arguments are invalid. */
export function argumentsOf<const Parsers extends readonly Parser<unknown>[]>(
  id: CommandId,
  parsers: Parsers,
  args: readonly unknown[],
): ValuesOf<Parsers> {
  const values = parseArguments(parsers, args);
  if (values === undefined)
    throw new ExpectedError(vscode.l10n.t('The command {0} got invalid arguments.', id));
  return values;
}

/**
 * Shows a failure once, as a notification with remedies. Resolves when the user has responded.
 * @param what the command or activity, for the log.
 * @param again repeats what failed; offered if the service was away or failed.
 */
export async function presentFailure(
  log: Logger,
  what: string,
  error: unknown,
  again?: FailureAction,
): Promise<void> {
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'cancelled':
      return;
    case 'expected': {
      if (isToldBySession(error)) return;
      if (error instanceof ExpectedError && error.isToldElsewhere) return;
      log.warn(`${what} failed: ${errorName(causeOf(error))}`);
      const details = failureDetailsOf(error);
      const actions = details === undefined ? [] : [showDetailsAction(details)];
      const show =
        error instanceof ExpectedError && error.isOfConnection ? showConnectionError : showErrorMessage;
      await offer(failure.message, [...failure.actions, ...waysBack(error, again), ...actions], show);
      return;
    }
    case 'unexpected':
      log.error(`${what} failed unexpectedly: ${stackOf(error)}`);
      await offer(vscode.l10n.t('Identity Queries: {0}', failure.message), [
        { title: vscode.l10n.t('Show Log'), command: commands.logShow },
      ]);
      return;
    default:
      failure satisfies never;
  }
}

/** Returns the failure that an explanation is about. */
function causeOf(error: unknown): unknown {
  return error instanceof ExpectedError ? (error.cause ?? error) : error;
}

/** Returns remedies after a failure of the service; the connection test shows which step fails. */
function waysBack(error: unknown, again: FailureAction | undefined): readonly FailureAction[] {
  const cause = causeOf(error);
  if (cause instanceof RateLimitError) return again === undefined ? [] : [again];
  const isOfService =
    cause instanceof TransportError || cause instanceof ServerFaultError || cause instanceof ContractError;
  if (!isOfService && !(cause instanceof AuthError && cause.at === 'forbidden')) return [];
  const test = { title: vscode.l10n.t('Test Connection'), command: commands.connectionTest };
  return again === undefined ? [test] : [again, test];
}

async function offer(
  message: string,
  actions: readonly FailureAction[],
  show = showErrorMessage,
): Promise<void> {
  const chosen = await show(message, ...actions.map((action) => action.title));
  const action = actions.find((candidate) => candidate.title === chosen);
  if (action !== undefined) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
