/** Messages between the extension host and the connection form page. The host never sends a secret. */
import type { Answers, ConnectionSection, FieldName } from '#core/connections/form/form-types.ts';

export type { ConnectionField, FieldName } from '#core/connections/form/form-types.ts';

export interface TestedStep {
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** The status in words. */
  readonly word: string;
  readonly title: string;
  readonly target: string;
  readonly text: string;
  readonly ms?: number | undefined;
  readonly actions: readonly PageLink[];
}

/** A link that runs an editor command. */
export interface PageLink {
  readonly title: string;
  readonly href: string;
}

export const statusSymbols: Readonly<Record<TestedStep['status'], string>> = {
  ok: '✓',
  warning: '!',
  failed: '✕',
  skipped: '–',
};

export type ConnectionTestState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'running';
      readonly done: number;
      /** Title of the last step that is done, if any. */
      readonly last?: string;
    }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'done';
      readonly summary: string;
      readonly hasFailed: boolean;
      /** Where the tested secret came from, in words. */
      readonly secretOrigin: string;
      readonly steps: readonly TestedStep[];
      readonly copy: PageLink;
      /** Whether the form has changed since the test. */
      readonly isStale: boolean;
    };

export interface ConnectionFormState {
  readonly kind: 'connectionForm';
  readonly title: string;
  readonly sections: readonly ConnectionSection[];
  /** Initial values; once the page is drawn, the user's input takes precedence. */
  readonly answers: Answers;
  readonly asked: readonly FieldName[];
  readonly problems: Readonly<Partial<Record<FieldName, string>>>;
  /** Increases whenever problems prevent a test or a save; the page then shows all problems. */
  readonly refusals: number;
  /**
   * Hints that replace the fields' own: the source or destination of the secret, or another connection with the same
   * target.
   */
  readonly hints: Readonly<Partial<Record<FieldName, string>>>;
  readonly test: ConnectionTestState;
  readonly isSaving: boolean;
  /** Why nothing was saved. */
  readonly failure?: string | undefined;
}

/** The values of the page's fields by name, without the secret. */
export type FieldTexts = Readonly<Record<string, string>>;

export type ConnectionFormRequest =
  | { readonly kind: 'ready' }
  | { readonly kind: 'change'; readonly texts: FieldTexts; readonly hasSecret: boolean }
  | { readonly kind: 'test' | 'save'; readonly texts: FieldTexts; readonly secret: string }
  | { readonly kind: 'stop' | 'cancel' };
