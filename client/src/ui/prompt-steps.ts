/** A chain of text questions with progress, validation while typing and a way back; answers survive going back. */
import * as vscode from 'vscode';
import { DisposableStore } from '../util/disposables.ts';

export interface Step {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** What is wrong with a value, or undefined. */
  readonly validate: (value: string) => string | undefined;
}

/** What somebody else found wrong with an answer; shown until the answer changes. */
export interface StepProblem {
  /** Index of the step. */
  readonly step: number;
  readonly value: string;
  readonly message: string;
}

/**
 * The answers in order, or undefined when the person left.
 * @param from answers to start with, and what was wrong with one of them: the questions start there.
 */
export async function promptSteps(
  title: string,
  steps: readonly Step[],
  from: { readonly answers?: readonly string[]; readonly problem?: StepProblem | undefined } = {},
): Promise<string[] | undefined> {
  const answers: string[] = [...(from.answers ?? [])];
  let index = from.problem?.step ?? 0;
  while (index < steps.length) {
    const step = steps[index];
    if (step === undefined) break;
    const problem = from.problem?.step === index ? from.problem : undefined;
    const checked: Step = {
      ...step,
      validate: (value) => (value === problem?.value ? problem.message : step.validate(value)),
    };
    const answer = await ask(title, checked, {
      index,
      count: steps.length,
      value: answers[index] ?? '',
      message: problem?.message,
    });
    if (answer === undefined) return undefined;
    if (answer === goBack) index -= 1;
    else {
      answers[index] = answer.value;
      index += 1;
    }
  }
  return answers;
}

const goBack = Symbol('back');

async function ask(
  title: string,
  step: Step,
  at: {
    readonly index: number;
    readonly count: number;
    readonly value: string;
    readonly message?: string | undefined;
  },
): Promise<{ readonly value: string } | typeof goBack | undefined> {
  const disposables = new DisposableStore();
  const input = disposables.add(vscode.window.createInputBox());
  try {
    return await new Promise((resolve) => {
      input.title = title;
      input.step = at.index + 1;
      input.totalSteps = at.count;
      input.prompt = step.prompt;
      input.placeholder = step.placeholder;
      input.password = step.password ?? false;
      input.value = at.value;
      input.validationMessage = at.message;
      input.ignoreFocusOut = true;
      if (at.index > 0) input.buttons = [vscode.QuickInputButtons.Back];
      disposables.add(input.onDidChangeValue((value) => (input.validationMessage = step.validate(value))));
      disposables.add(input.onDidTriggerButton(() => resolve(goBack)));
      disposables.add(input.onDidHide(() => resolve(undefined)));
      disposables.add(
        input.onDidAccept(() => {
          input.validationMessage = step.validate(input.value);
          if (input.validationMessage === undefined) resolve({ value: input.value });
        }),
      );
      input.show();
    });
  } finally {
    disposables.dispose();
  }
}
