/** A series of prompts with progress, validation while typing, and a way back that keeps the input. */
import * as vscode from 'vscode';
import { answerTo } from './answer-to.ts';
import { createInputBox } from './shown/prompts.ts';
import { createQuickPick } from './shown/quick-picks.ts';

export interface TextStep {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Returns the problem with a value, or undefined. */
  readonly validate: (value: string) => string | undefined;
  /** Whether to skip the step, given the earlier answers. */
  readonly skip?: (answers: readonly string[]) => boolean;
}

export interface Choice {
  /** The answer that the item represents. */
  readonly value: string;
  readonly label: string;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly description?: string;
}

export interface ChoiceStep {
  readonly prompt: string;
  readonly choices: readonly Choice[];
  readonly skip?: (answers: readonly string[]) => boolean;
}

export type Step = TextStep | ChoiceStep;

/**
 * A problem that the caller found with an answer; shown first, until the answer changes. The same answer may be given
 * again, since what it was checked against may have changed.
 */
export interface StepProblem {
  readonly step: number;
  readonly message: string;
}

interface Asked {
  /** 1-based number, not counting skipped steps. */
  readonly number: number;
  readonly count: number;
  readonly value: string;
  readonly message?: string | undefined;
}

const goBack = Symbol('back');
type Answer = { readonly value: string } | typeof goBack | undefined;

/**
 * Shows the steps and returns the answers in order, or undefined if the user cancels. A skipped step keeps its initial
 * answer.
 * @param from initial answers, and a problem; the prompts start at the problem's step.
 */
export async function promptSteps(
  title: string,
  steps: readonly Step[],
  from: { readonly answers?: readonly string[]; readonly problem?: StepProblem | undefined } = {},
): Promise<string[] | undefined> {
  const answers: string[] = steps.map((_, index) => from.answers?.[index] ?? '');
  const isAsked = (step: Step) => step.skip?.(answers) !== true;
  let { problem } = from;
  let index = problem?.step ?? 0;
  let direction: 1 | -1 = 1;
  for (;;) {
    const step = steps[index];
    if (step === undefined) return answers;
    if (!isAsked(step)) {
      index += direction;
      continue;
    }
    const at: Asked = {
      number: steps.slice(0, index + 1).filter(isAsked).length,
      count: steps.filter(isAsked).length,
      value: answers[index] ?? '',
      message: problem?.message,
    };
    problem = undefined;
    const answer: Answer = 'choices' in step ? await choose(title, step, at) : await ask(title, step, at);
    if (answer === undefined) return undefined;
    if (answer === goBack) direction = -1;
    else {
      answers[index] = answer.value;
      direction = 1;
    }
    index += direction;
  }
}

async function ask(title: string, step: TextStep, at: Asked): Promise<Answer> {
  const input = createInputBox();
  return await answerTo<Exclude<Answer, undefined>>(input, (resolve) => {
    input.title = title;
    input.step = at.number;
    input.totalSteps = at.count;
    input.prompt = step.prompt;
    input.placeholder = step.placeholder;
    input.password = step.password ?? false;
    input.value = at.value;
    input.validationMessage = at.message;
    input.ignoreFocusOut = true;
    if (at.number > 1) input.buttons = [vscode.QuickInputButtons.Back];
    input.onDidChangeValue((value) => (input.validationMessage = step.validate(value)));
    input.onDidTriggerButton(() => resolve(goBack));
    input.onDidAccept(() => {
      input.validationMessage = step.validate(input.value);
      if (input.validationMessage === undefined) resolve({ value: input.value });
    });
  });
}

async function choose(title: string, step: ChoiceStep, at: Asked): Promise<Answer> {
  const pick = createQuickPick<vscode.QuickPickItem & Choice>();
  return await answerTo<Exclude<Answer, undefined>>(pick, (resolve) => {
    pick.title = title;
    pick.step = at.number;
    pick.totalSteps = at.count;
    pick.placeholder = step.prompt;
    pick.items = step.choices.map(({ icon, ...choice }) => ({
      ...choice,
      ...(icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
    }));
    const answered = pick.items.filter((item) => item.value === at.value);
    // Don't preselect a single item: it is a confirmation, which Enter alone must not give.
    if (answered.length > 0 || pick.items.length === 1) pick.activeItems = answered;
    pick.ignoreFocusOut = true;
    if (at.number > 1) pick.buttons = [vscode.QuickInputButtons.Back];
    pick.onDidTriggerButton(() => resolve(goBack));
    pick.onDidAccept(() => {
      const [chosen] = pick.activeItems;
      if (chosen !== undefined) resolve({ value: chosen.value });
    });
  });
}
