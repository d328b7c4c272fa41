/** Failure messages for the terminal: core's explanation, with a command that may help. */
import { RateLimitError, type SqlPosition } from '#api/client/errors.ts';
import { typedText } from '#base/advice.ts';
import { failureDetailsOf } from '#core/failures/failure-details.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import { explainFailure, unexpectedCode, type FailureHelp } from '#core/runs/explain-failure.ts';
import type { TextPosition } from '#core/runs/source-positions.ts';
import { advice, type ConnectionChoice } from '../advice.ts';
import { CliError } from '../context.ts';

/** A failure with its remedies, one per line. */
export interface ToldFailure extends Omit<RunFailure, 'nextStep'> {
  readonly ways?: readonly string[];
}

/** @param locate maps a position in the sent text to the query. */
export function failureOfRun(
  error: unknown,
  locate: (position: SqlPosition) => TextPosition | undefined,
): ToldFailure {
  if (error instanceof CliError) return { message: error.message, reasons: [], ways: error.help };
  const { help, ...failure } = explainFailure(error, locate);
  // The command line has no log, so the error's own message must do.
  if (failure.code === unexpectedCode) return { message: ownWords(error), reasons: [] };
  const ways = error instanceof RateLimitError && error.isWaitedOut ? [waitLine] : waysOf(help);
  return { ...failure, details: failureDetailsOf(error), ways };
}

/** An error of this program is a sentence; one of the language itself is a bug, whose kind helps to find it. */
function ownWords(error: unknown): string {
  const isBug =
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError;
  return error instanceof Error && error.message !== '' && !isBug ? error.message : String(error);
}

/** Formats a failure like a compiler error: position, code and message, then the remedies. */
export function failureLines(title: string, failure: ToldFailure): readonly string[] {
  const { place, code, message, hint, reasons, ways = [] } = failure;
  const at = place === undefined ? title : `${title}:${place.line}:${place.column}`;
  return [
    `${at}: ${code === undefined ? '' : `${code}: `}${message}`,
    ...(hint === undefined ? [] : [`  Hint: ${hint}`]),
    ...reasons.map((reason) => `  ${reason.code}: ${reason.message}`),
    ...requestLines(failure),
    ...ways,
  ];
}

/** Formats a failure that is not about a query, without a title. */
export function plainFailureLines(error: unknown): readonly string[] {
  const failure = failureOfRun(error, () => undefined);
  const { message, reasons, ways = [] } = failure;
  return [message, ...reasons.map(({ message: words }) => `  ${words}`), ...requestLines(failure), ...ways];
}

/** Returns the request and its ID, which messages leave out; neither helps with an error in the query's own text. */
function requestLines({ message, place, requestId, details }: ToldFailure): readonly string[] {
  const request = place === undefined ? details?.request : undefined;
  return [
    ...(request === undefined ? [] : [`  Request: ${request}`]),
    ...(requestId === undefined || message.includes(requestId) ? [] : [`  Request ID: ${requestId}`]),
  ];
}

const waitLine = 'To wait longer for the service, use --wait SECONDS.';

/** `doctor` leaves it out: it has just been run. */
export const examineLine = `To see what the client may do, run: ${typedText(advice.examine())}`;

/** Returns lines whose advice is about the connection that was chosen. */
export function adviceAbout(choice: ConnectionChoice, lines: readonly string[]): readonly string[] {
  const [plain, chosen] = [typedText(advice.examine()), typedText(advice.examine(choice))];
  const options = chosen.slice(plain.length);
  return lines.map((line) => {
    const at = line.lastIndexOf(': ') + 2;
    return ofConnection.some((typed) => `${line.slice(at)} `.startsWith(`${typed} `)) ? line + options : line;
  });
}

/** Commands that mean another connection, or none, without the options that choose one. */
const ofConnection = [
  ...[advice.examine(), advice.listModels(), advice.listSaved()],
  ...[advice.showPlan(), advice.showStatus()],
].map(typedText);

/** Returns the connection that a command line names, which may not have been read whole. */
export function choiceOf(args: readonly string[]): ConnectionChoice {
  const valueOf = (option: string): string | undefined => {
    const at = args.findLastIndex((each) => each === option || each.startsWith(`${option}=`));
    return args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1);
  };
  return { connection: valueOf('--connection'), connections: valueOf('--connections') };
}

function waysOf(help: FailureHelp | undefined): readonly string[] {
  switch (help) {
    case 'change-time-limit':
      return ['Allow more time with --timeout SECONDS.'];
    case 'renew-secret':
      return ['Check the client ID of the connection, and the source of its secret.'];
    case 'test-connection':
      return [examineLine];
    case 'check-connection': // the service's message says what to check
    case 'change-binding': // the command line always sends values as parameters
    case 'read-log': // the command line has no log
    case undefined:
      return [];
    default:
      return help satisfies never;
  }
}
