/** Messages of a question channel, one union per direction. */
export type AskMessage<Body> =
  | { readonly kind: 'ask'; readonly id: number; readonly body: Body }
  /** The asking side no longer waits. One final answer or failure is still sent. */
  | { readonly kind: 'stop'; readonly id: number };

export type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly name: string; readonly message: string }
  /** Progress of the work on a question. */
  | { readonly kind: 'progress'; readonly id: number; readonly done: number };
