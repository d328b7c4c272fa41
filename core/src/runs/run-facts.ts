/** What a run knows of itself beyond what the panel shows. It stays in the extension host: values of secrets are not in it. */
import type { ParameterValue } from '../../../api/contract/execute.ts';

export interface RunFacts {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Names the service, whatever the connection to it is called (`serviceKeyOf`). */
  readonly service: string;
  readonly model: string;
  readonly savedQuery?: { readonly id: string; readonly name: string; readonly version: number } | undefined;
  /** The whole text that the statement was in, as it was then, and where in it. */
  readonly text: string;
  /** The statement with its placeholders, and where in the text it begins. */
  readonly statement: { readonly text: string; readonly offset: number };
  readonly parameters: readonly RunParameter[];
}

export interface RunParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** As it was typed; left out for a secret. */
  readonly entered?: string | undefined;
  /** What was bound; left out for a secret. */
  readonly value?: ParameterValue | undefined;
}
