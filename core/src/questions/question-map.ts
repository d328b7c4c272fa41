/**
 * Typed questions: a map assigns request and answer types to each question, and both sides of a channel derive their
 * types from it.
 *
 * interface Weather { readonly rain: Question<{ readonly place: string }, number> }
 *
 * A missing answer, or one of the wrong type, does not compile.
 */
export interface Question<Request, Answer> {
  readonly request: Request;
  readonly answer: Answer;
}

export type QuestionMap<Map> = { readonly [Name in keyof Map]: Question<unknown, unknown> };

/** One question with its request. */
export type Asked<Map extends QuestionMap<Map>> = {
  readonly [Name in keyof Map]: { readonly question: Name; readonly request: Map[Name]['request'] };
}[keyof Map];

/** One function per question. The answering side supplies `context`. */
export type Answers<Map extends QuestionMap<Map>, Context> = {
  readonly [Name in keyof Map]: (
    request: Map[Name]['request'],
    context: Context,
  ) => Map[Name]['answer'] | Promise<Map[Name]['answer']>;
};

/** Asks a question over any transport. */
export type Ask<Map extends QuestionMap<Map>, Options> = <Name extends keyof Map>(
  question: Name,
  request: Map[Name]['request'],
  options?: Options,
) => Promise<Map[Name]['answer']>;

/** Adds types to the asking side. This is the only place that trusts the other side to follow the map. */
export function askThrough<Map extends QuestionMap<Map>, Options>(
  send: (asked: Asked<Map>, options: Options | undefined) => Promise<unknown>,
): Ask<Map, Options> {
  return <Name extends keyof Map>(question: Name, request: Map[Name]['request'], options?: Options) =>
    send({ question, request }, options);
}

export function answerWith<Map extends QuestionMap<Map>, Context, Name extends keyof Map>(
  answers: Answers<Map, Context>,
  asked: { readonly question: Name; readonly request: Map[Name]['request'] },
  context: Context,
): Map[Name]['answer'] | Promise<Map[Name]['answer']> {
  return answers[asked.question](asked.request, context);
}
