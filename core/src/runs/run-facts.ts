/** Facts about a run that the panel does not need. They stay in the extension host and omit secret values. */
import type { ParameterValue } from '#api/contract/execute.ts';

export interface RunFacts {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Identifies the service independently of the connection's name (`serviceKeyOf`). */
  readonly service: string;
  readonly model: string;
  readonly savedQuery?: { readonly id: string; readonly name: string; readonly version: number } | undefined;
  /** The whole text of the document at the time of the run. */
  readonly text: string;
  /** The statement with its placeholders, and its offset in `text`. */
  readonly statement: { readonly text: string; readonly offset: number };
  readonly parameters: readonly RunParameter[];
}

export interface RunParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** The value as typed; omitted for a secret. */
  readonly entered?: string | undefined;
  /** The bound value; omitted for a secret. */
  readonly value?: ParameterValue | undefined;
}
