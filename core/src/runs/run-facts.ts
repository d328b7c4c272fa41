/** Facts of a run beyond what the panel shows. They stay in the extension host, without values of secrets. */
import type { ParameterValue } from '../../../api/contract/execute.ts';

export interface RunFacts {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Identifies the service, regardless of the connection's name (`serviceKeyOf`). */
  readonly service: string;
  readonly model: string;
  readonly savedQuery?: { readonly id: string; readonly name: string; readonly version: number } | undefined;
  /** The whole text around the statement at that time, and the statement's position. */
  readonly text: string;
  /** The statement with its placeholders, and its start in the text. */
  readonly statement: { readonly text: string; readonly offset: number };
  readonly parameters: readonly RunParameter[];
}

export interface RunParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** As typed; omitted for a secret. */
  readonly entered?: string | undefined;
  /** The bound value; omitted for a secret. */
  readonly value?: ParameterValue | undefined;
}
