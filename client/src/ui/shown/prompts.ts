/** Input boxes: makes the surrounding text safe, and leaves the input unchanged. */
import * as vscode from 'vscode';
import { forLine, forMessage } from '#base/shown-text/for-places.ts';
import { fitted, whereGiven } from './fitted.ts';
import { openFromShow, openUntil } from './prompt-focus.ts';

/** A problem with the input or a note about it; undefined if there is neither. */
type Problem = string | vscode.InputBoxValidationMessage | undefined;

interface InputOptions extends Omit<vscode.InputBoxOptions, 'validateInput'> {
  readonly validateInput?: (value: string) => Problem;
}

export function showInputBox({ validateInput, ...options }: InputOptions): Thenable<string | undefined> {
  return openUntil(
    vscode.window.showInputBox({
      ...options,
      ...(options.title === undefined ? {} : { title: forLine(options.title) }),
      ...(options.prompt === undefined ? {} : { prompt: forMessage(options.prompt) }),
      ...(options.placeHolder === undefined ? {} : { placeHolder: forLine(options.placeHolder) }),
      ...(validateInput === undefined ? {} : { validateInput: (value) => fitProblem(validateInput(value)) }),
    }),
  );
}

export function createInputBox(): vscode.InputBox {
  const input = vscode.window.createInputBox();
  return fitted(
    input,
    {
      title: whereGiven(forLine),
      prompt: whereGiven(forMessage),
      placeholder: whereGiven(forLine),
      validationMessage: fitProblem,
    },
    { show: openFromShow(input) },
  );
}

function fitProblem(problem: Problem): Problem {
  return typeof problem === 'object'
    ? { ...problem, message: forMessage(problem.message) }
    : problem && forMessage(problem);
}
