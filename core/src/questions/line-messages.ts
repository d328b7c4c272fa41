/** Messages of a question channel, one union per direction. */
export type AskMessage<Body> =
  | { readonly kind: 'ask'; readonly id: number; readonly body: Body }
  /** The asker no longer waits. A final message still follows, if only a failure. */
  | { readonly kind: 'stop'; readonly id: number };

export type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly name: string; readonly message: string }
  /** Progress of the question. */
  | { readonly kind: 'progress'; readonly id: number; readonly done: number };
