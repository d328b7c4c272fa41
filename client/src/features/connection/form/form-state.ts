/** State and behavior of an open connection form: handles the page's requests. Does not depend on the editor. */
import { isDeepStrictEqual } from 'node:util';
import { forMessage } from '#base/shown-text/for-places.ts';
import { secretKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { answersFrom, answersOf, settingOf } from '#core/connections/form/answers.ts';
import {
  askedFields,
  connectionSections,
  hintsOf,
  problemsOf,
  type FormFacts,
} from '#core/connections/form/fields.ts';
import { answerNames, type Answers } from '#core/connections/form/form-types.ts';
import { profileOf, type ConnectionSetting } from '#core/connections/parse-connection.ts';
import { failureOf } from '#core/failures/failure.ts';
import type {
  ConnectionFormRequest,
  ConnectionFormState,
  ConnectionTestState,
} from '#panel-protocol/connection-form.ts';

export interface Candidate {
  readonly setting: ConnectionSetting;
  readonly profile: ConnectionProfile;
  /** The entered secret; undefined to use the stored secret or the one from the connection's source. */
  readonly secret: string | undefined;
}

export type TestOutcome = Omit<Extract<ConnectionTestState, { readonly kind: 'done' }>, 'kind' | 'isStale'>;

/** What the form requires of the editor. */
export interface FormWork {
  readonly title: string;
  /** The connection to edit; undefined for a new one. */
  readonly old: ConnectionProfile | undefined;
  /** Whether a secret is stored for the old connection. */
  readonly hasStoredSecret: boolean;
  /** Returns the hint for the secret field. `keepsSecret`: whether the stored secret still applies. */
  readonly secretHint: (keepsSecret: boolean) => string;
  /** Input from a form that was closed without saving. */
  readonly draft?: Answers | undefined;
  /** Returns all connections except the edited one. */
  readonly others: () => readonly ConnectionProfile[];
  readonly test: (
    candidate: Candidate,
    signal: AbortSignal,
    stepDone: (title: string) => void,
  ) => Promise<TestOutcome | undefined>;
  /** @param failure why the last test of the same input failed; undefined if it did not. */
  readonly save: (candidate: Candidate, failure: string | undefined) => Promise<void>;
  readonly close: () => void;
  readonly show: (state: ConnectionFormState) => void;
}

export class ConnectionForm {
  readonly #work: FormWork;
  readonly #start: Answers;
  #answers: Answers;
  #hasSecret = false;
  #refusals = 0;
  #changes = 0;
  #test: ConnectionTestState = { kind: 'none' };
  #testing: AbortController | undefined;
  /** What the last test that failed has tested, and why it failed. */
  #failed: { readonly candidate: Candidate; readonly why: string } | undefined;
  #isSaving = false;
  /** Whether the form was saved or cancelled. */
  #isSettled = false;
  #failure: string | undefined;

  constructor(work: FormWork) {
    this.#work = work;
    this.#start = answersOf(work.old);
    this.#answers = work.draft ?? this.#start;
  }

  /** The unsaved input without the secret; undefined if there is none. */
  get draft(): Answers | undefined {
    const isChanged = answerNames.some((name) => this.#answers[name] !== this.#start[name]);
    return (isChanged || this.#hasSecret) && !this.#isSettled ? this.#answers : undefined;
  }

  get state(): ConnectionFormState {
    const facts = this.#facts;
    return {
      kind: 'connectionForm',
      title: this.#work.title,
      sections: connectionSections(),
      answers: this.#answers,
      asked: askedFields(this.#answers),
      problems: problemsOf(this.#answers, facts),
      refusals: this.#refusals,
      hints: hintsOf(this.#answers, {
        others: facts.others,
        secretHint: this.#work.secretHint(facts.keepsSecret),
      }),
      test: this.#test,
      isSaving: this.#isSaving,
      failure: this.#failure,
    };
  }

  async receive(request: ConnectionFormRequest): Promise<void> {
    switch (request.kind) {
      case 'ready':
        // The reloaded page no longer has the secret.
        this.#hasSecret = false;
        this.#show();
        return;
      case 'change':
        this.#change(request.texts, request.hasSecret);
        this.#show();
        return;
      case 'test':
      case 'save': {
        this.#change(request.texts, request.secret !== '');
        const candidate = this.#candidate(request.secret);
        if (candidate === undefined) return;
        await (request.kind === 'test' ? this.#runTest(candidate) : this.#save(candidate));
        return;
      }
      case 'stop':
        this.#testing?.abort();
        return;
      case 'cancel':
        this.#isSettled = true;
        this.#work.close();
        return;
      default:
        request satisfies never;
    }
  }

  /** Cancels the running test. */
  dispose(): void {
    this.#testing?.abort();
  }

  get #facts(): FormFacts {
    const { old, hasStoredSecret, others } = this.#work;
    const isSame =
      old !== undefined && secretKeyOf(profileOf(settingOf(this.#answers, old))) === secretKeyOf(old);
    return {
      others: others(),
      hasSecret: this.#hasSecret,
      keepsSecret: hasStoredSecret && isSame,
    };
  }

  #change(texts: Readonly<Record<string, string>>, hasSecret: boolean): void {
    this.#answers = answersFrom(texts);
    this.#hasSecret = hasSecret;
    this.#changes += 1;
    this.#failure = undefined;
    if (this.#test.kind === 'done') this.#test = { ...this.#test, isStale: true };
    else if (this.#test.kind === 'failed') this.#test = { kind: 'none' };
  }

  /** Returns undefined if there are problems, which the page shows. */
  #candidate(secret: string): Candidate | undefined {
    if (Object.keys(problemsOf(this.#answers, this.#facts)).length > 0) {
      this.#refusals += 1;
      this.#show();
      return undefined;
    }
    const setting = settingOf(this.#answers, this.#work.old);
    const isEntered = this.#answers.secretFrom === 'storage' && secret !== '';
    return { setting, profile: profileOf(setting), secret: isEntered ? secret : undefined };
  }

  async #runTest(candidate: Candidate): Promise<void> {
    this.#testing?.abort();
    const testing = new AbortController();
    this.#testing = testing;
    const { signal } = testing;
    const begun = this.#changes;
    this.#failed = undefined;
    let done = 0;
    const set = (state: ConnectionTestState) => {
      // A newer test has started and replaces this report.
      if (this.#testing !== testing) return;
      this.#test = state;
      this.#show();
    };
    set({ kind: 'running', done });
    try {
      const outcome = await this.#work.test(candidate, signal, (title) =>
        set({ kind: 'running', done: ++done, last: title }),
      );
      if (outcome?.hasFailed === true && this.#testing === testing)
        this.#failed = { candidate, why: whyFailed(outcome) };
      set(
        outcome === undefined
          ? { kind: 'none' }
          : { ...outcome, kind: 'done', isStale: this.#changes !== begun },
      );
    } catch (error) {
      const failure = failureOf(error);
      set(
        failure.kind === 'cancelled'
          ? { kind: 'none' }
          : { kind: 'failed', message: forMessage(failure.message) },
      );
    }
  }

  async #save(candidate: Candidate): Promise<void> {
    if (this.#isSaving) return;
    this.#testing?.abort();
    this.#isSaving = true;
    this.#show();
    try {
      const failed = this.#failed;
      await this.#work.save(
        candidate,
        failed !== undefined && isDeepStrictEqual(failed.candidate, candidate) ? failed.why : undefined,
      );
      this.#isSettled = true;
      this.#work.close();
    } catch (error) {
      const failure = failureOf(error);
      this.#failure = failure.kind === 'cancelled' ? undefined : forMessage(failure.message);
    } finally {
      this.#isSaving = false;
      this.#show();
    }
  }

  #show(): void {
    this.#work.show(this.state);
  }
}

function whyFailed({ steps, summary }: TestOutcome): string {
  return steps.find(({ status }) => status === 'failed')?.text ?? summary;
}
