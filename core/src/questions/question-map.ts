/**
 * Questions as data: a map gives each question its request and answer types, and types both sides of a channel.
 *
 * interface Weather { readonly rain: Question<{ readonly place: string }, number> }
 *
 * A missing answer, or one of the wrong type, does not compile.
 */
export interface Question<Request, Answer> {
  readonly request: Request;
  readonly answer: Answer;
}

/** Base type of question maps. */
export type QuestionMap<Map> = { readonly [Name in keyof Map]: Question<unknown, unknown> };

/** One question as asked. */
export type Asked<Map extends QuestionMap<Map>> = {
  readonly [Name in keyof Map]: { readonly question: Name; readonly request: Map[Name]['request'] };
}[keyof Map];

/** A function per question; `context` comes from the answering side. */
export type Answers<Map extends QuestionMap<Map>, Context> = {
  readonly [Name in keyof Map]: (
    request: Map[Name]['request'],
    context: Context,
  ) => Map[Name]['answer'] | Promise<Map[Name]['answer']>;
};

/** The asker's function for any transport. */
export type Ask<Map extends QuestionMap<Map>, Options> = <Name extends keyof Map>(
  question: Name,
  request: Map[Name]['request'],
  options?: Options,
) => Promise<Map[Name]['answer']>;

/** The typed view of the asking side: the only place that trusts the other side to follow the map. */
export function askThrough<Map extends QuestionMap<Map>, Options>(
  send: (asked: Asked<Map>, options: Options | undefined) => Promise<unknown>,
): Ask<Map, Options> {
  return <Name extends keyof Map>(question: Name, request: Map[Name]['request'], options?: Options) =>
    send({ question, request }, options);
}

/** Runs a question of the map on the answering side. */
export function answerWith<Map extends QuestionMap<Map>, Context, Name extends keyof Map>(
  answers: Answers<Map, Context>,
  asked: { readonly question: Name; readonly request: Map[Name]['request'] },
  context: Context,
): Map[Name]['answer'] | Promise<Map[Name]['answer']> {
  return answers[asked.question](asked.request, context);
}
