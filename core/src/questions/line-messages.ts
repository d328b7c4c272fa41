/** What crosses a line on which questions are asked, one union each direction. */
export type AskMessage<Body> =
  | { readonly kind: 'ask'; readonly id: number; readonly body: Body }
  /** Nobody waits for it any more. It is answered all the same, with a failure at the latest. */
  | { readonly kind: 'stop'; readonly id: number };

export type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly name: string; readonly message: string }
  /** How much of it is done. */
  | { readonly kind: 'progress'; readonly id: number; readonly done: number };
