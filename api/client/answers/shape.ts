/** Contract errors for responses of the wrong shape; separate from decode.ts, which loads the schema compiler. */
import { ContractError } from '../errors.ts';
import { ExactNumber, type JsonValue } from '../json.ts';

export interface DecodeContext {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Method and path. */
  readonly request: string;
}

export function isRecord(value: unknown): value is { readonly [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

export function shapeError(context: DecodeContext, problem: string): ContractError {
  return new ContractError(
    `The response of the service does not have the expected shape: ${problem}. The service may have a different version.`,
    context,
  );
}
