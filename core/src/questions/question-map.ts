/**
 * Questions as data: a map names each question with what is asked and what is answered, and both sides of a line are typed
 * by it.
 *
 *     interface Weather { readonly rain: Question<{ readonly place: string }, number> }
 *
 * An answer that is missing, or of another type, does not compile.
 */
export interface Question<Request, Answer> {
  readonly request: Request;
  readonly answer: Answer;
}

/** What any map of questions is. */
export type QuestionMap<Map> = { readonly [Name in keyof Map]: Question<unknown, unknown> };

/** One of the questions, as it is asked. */
export type Asked<Map extends QuestionMap<Map>> = {
  readonly [Name in keyof Map]: { readonly question: Name; readonly request: Map[Name]['request'] };
}[keyof Map];

/** A function for each question; `context` is what the answering side has. */
export type Answers<Map extends QuestionMap<Map>, Context> = {
  readonly [Name in keyof Map]: (
    request: Map[Name]['request'],
    context: Context,
  ) => Map[Name]['answer'] | Promise<Map[Name]['answer']>;
};

/** The asking side's function, of whatever carries a question to its answer. */
export type Ask<Map extends QuestionMap<Map>, Options> = <Name extends keyof Map>(
  question: Name,
  request: Map[Name]['request'],
  options?: Options,
) => Promise<Map[Name]['answer']>;

/** The typed face of the asking side: here, and nowhere else, it is believed that the other side answers by the map. */
export function askThrough<Map extends QuestionMap<Map>, Options>(
  send: (asked: Asked<Map>, options: Options | undefined) => Promise<unknown>,
): Ask<Map, Options> {
  return <Name extends keyof Map>(question: Name, request: Map[Name]['request'], options?: Options) =>
    send({ question, request }, options);
}

/** What the answering side does with a question of the map. */
export function answerWith<Map extends QuestionMap<Map>, Context, Name extends keyof Map>(
  answers: Answers<Map, Context>,
  asked: { readonly question: Name; readonly request: Map[Name]['request'] },
  context: Context,
): Map[Name]['answer'] | Promise<Map[Name]['answer']> {
  return answers[asked.question](asked.request, context);
}
