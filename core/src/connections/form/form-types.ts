/** Connection form types. Shared with the page, so this module must not use Node.js. */

/** The names of the answers, in form order. */
export const answerNames = [
  'name',
  'baseUrl',
  'basePlain',
  'authUrl',
  'authPlain',
  'environment',
  'clientId',
  'secretFrom',
  'variable',
  'command',
  'scopes',
  'changes',
  'marking',
  'label',
  'colour',
] as const;
export type AnswerName = (typeof answerNames)[number];
export type Answers = Readonly<Record<AnswerName, string>>;

export type FieldName = AnswerName | 'secret';

export interface ConnectionChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface ConnectionField {
  readonly name: FieldName;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** `secret` hides the input. The answer to a `tick` is `yes` or empty. */
  readonly control: 'text' | 'secret' | 'tick' | 'choice';
  readonly choices?: readonly ConnectionChoice[];
}

export interface ConnectionSection {
  readonly title: string;
  readonly fields: readonly ConnectionField[];
}
