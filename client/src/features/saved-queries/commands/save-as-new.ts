/** Save as New Saved Query: name, model and description, then a create. A taken name is said beside the name. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import {
  ConflictError,
  ServerFaultError,
  TimeoutError,
  TransportError,
} from '../../../../../api/client/errors.ts';
import { limits } from '../../../../../api/contract/limits.ts';
import type { SemanticModel } from '../../../../../api/contract/models.ts';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { promptSteps, type Step, type StepProblem } from '../../../ui/prompt-steps.ts';

export interface SaveAsNewRequest {
  readonly client: ServiceClient;
  readonly text: string;
  /** The model of the document; asked for only where there is a choice. */
  readonly model: string;
  readonly models: readonly SemanticModel[];
  readonly suggestedName: string;
  readonly suggestedDescription: string;
  /** Names in use as far as known; the service decides. */
  readonly isKnownName: (name: string) => boolean;
  /** Shows why it was not saved, beside the questions, which stay with their answers. */
  readonly failed: (error: unknown) => void;
}

/** @returns the record, or undefined when the person left; the text is untouched either way. */
export async function saveAsNew(request: SaveAsNewRequest): Promise<SavedQuery | undefined> {
  const model = await pickModel(request);
  if (model === undefined) return undefined;
  let answers: readonly string[] = [request.suggestedName, request.suggestedDescription];
  let problem: StepProblem | undefined;
  for (;;) {
    const given = await promptSteps(vscode.l10n.t('Save as New Saved Query'), steps(request), {
      answers,
      problem,
    });
    if (given === undefined) return undefined;
    answers = given;
    const [name = '', description = ''] = given.map((answer) => answer.trim());
    const query = {
      name,
      query_string: request.text,
      model,
      ...(description === '' ? {} : { description }),
    };
    try {
      return await request.client.savedQueries.create(query);
    } catch (error) {
      const saved = await findUnanswered(error, request, name);
      if (saved !== undefined) return saved;
      const isTaken = error instanceof ConflictError && error.isNameConflict;
      problem = isTaken ? { step: 0, value: given[0] ?? '', message: takenMessage(name) } : undefined;
      if (!isTaken) request.failed(error);
    }
  }
}

/** After a create without an answer: the query, if it was carried out all the same. */
async function findUnanswered(
  error: unknown,
  request: SaveAsNewRequest,
  name: string,
): Promise<SavedQuery | undefined> {
  const isUnanswered =
    error instanceof TransportError || error instanceof TimeoutError || error instanceof ServerFaultError;
  if (!isUnanswered) return undefined;
  try {
    for await (const query of request.client.savedQueries.listAll()) {
      const isSameName = query.name.toLowerCase() === name.toLowerCase();
      if (isSameName && query.query_string === request.text) return query;
    }
  } catch {
    // The service is away: the first failure says so, and the questions stay open with their answers.
  }
  return undefined;
}

function steps(request: SaveAsNewRequest): readonly Step[] {
  return [
    {
      prompt: vscode.l10n.t('Name; a part before a slash groups queries, as in "Access reviews/Orphans"'),
      placeholder: vscode.l10n.t('Accounts enabled after their owner left'),
      validate: (value) => nameProblem(value, request.isKnownName),
    },
    {
      prompt: vscode.l10n.t('Description, optional'),
      placeholder: vscode.l10n.t('What it answers, and for whom'),
      validate: (value) =>
        value.length > limits.descriptionMax
          ? vscode.l10n.t('{0} characters at most; this has {1}.', limits.descriptionMax, value.length)
          : undefined,
    },
  ];
}

function nameProblem(value: string, isKnownName: (name: string) => boolean): string | undefined {
  const name = value.trim();
  if (name === '') return vscode.l10n.t('A name is needed.');
  if ([...name].length > limits.savedQueryNameMax) {
    return vscode.l10n.t('{0} characters at most; this has {1}.', limits.savedQueryNameMax, [...name].length);
  }
  return isKnownName(name) ? takenMessage(name) : undefined;
}

function takenMessage(name: string): string {
  return vscode.l10n.t('"{0}" is taken (upper and lower case count as the same). Choose another name.', name);
}

async function pickModel(request: SaveAsNewRequest): Promise<string | undefined> {
  if (request.models.length < 2) return request.model;
  const isCurrent = (model: SemanticModel) => model.name === request.model;
  const ordered = [
    ...request.models.filter(isCurrent),
    ...request.models.filter((model) => !isCurrent(model)),
  ];
  const chosen = await vscode.window.showQuickPick(
    ordered.map((model) => ({ label: model.name, detail: model.description })),
    {
      title: vscode.l10n.t('Save as New Saved Query'),
      placeHolder: vscode.l10n.t('The model that the query is for'),
      ignoreFocusOut: true,
    },
  );
  return chosen?.label;
}
