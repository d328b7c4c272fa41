/** A run's parameter form: its fields, its input, and value sets. */
import * as vscode from 'vscode';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { FormRequest, ParameterFormState } from '#client/features/results/index.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { draftForm, fillFields, readForm, type FormOutcome } from '#core/parameters/form.ts';
import type { MemoryKey, ParameterMemory, RememberedValue } from '#core/parameters/memory.ts';
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';
import { problemWords } from '#core/parameters/problem-messages.ts';

export interface ParameterQuestionOptions {
  readonly fields: readonly ParameterField[];
  readonly memory: ParameterMemory;
  readonly key: MemoryKey;
  readonly log: Logger;
  readonly statementCount?: number | undefined;
}

export class ParameterQuestion {
  readonly #options: ParameterQuestionOptions;
  #fields: readonly ParameterField[];
  #valueSet: string | undefined;
  #revision = 1;

  constructor(options: ParameterQuestionOptions) {
    this.#options = options;
    this.#fields = options.fields;
  }

  /** Returns a question with the same input. Input into one does not change the other. */
  copy(): ParameterQuestion {
    const copy = new ParameterQuestion({ ...this.#options, fields: this.#fields });
    copy.#valueSet = this.#valueSet;
    return copy;
  }

  get fields(): readonly ParameterField[] {
    return this.#fields;
  }

  get state(): ParameterFormState {
    const { memory, key, statementCount } = this.#options;
    return {
      kind: 'parameters',
      revision: this.#revision,
      fields: this.#fields,
      valueSets: memory.sets(key).map((set) => set.name),
      ...(this.#valueSet === undefined ? {} : { valueSet: this.#valueSet }),
      ...(statementCount === undefined ? {} : { statementCount }),
    };
  }

  /** Whether every value is known from an earlier run or a default, so that the form can be skipped. */
  get isAnswered(): boolean {
    const isKnown = (field: ParameterField) =>
      field.defaultText !== undefined ||
      this.#options.memory.recent(this.#options.key, field.name).length > 0;
    return this.#fields.every(isKnown) && this.#read(this.#fields).kind === 'valid';
  }

  /** Offers these values of the data instead of those known before. @returns whether that is new. */
  offer(name: string, choices: readonly string[]): boolean {
    const field = this.#fields.find((one) => one.name === name);
    if (field === undefined || choices.length === 0 || areSame(field.choices, choices)) return false;
    this.#fields = this.#fields.map((one) => (one === field ? { ...one, choices } : one));
    return true;
  }

  fill(values: Readonly<Record<string, RememberedValue>>): void {
    this.#fields = fillFields(this.#fields, values);
    this.#revision += 1;
  }

  /** Accepts input, and remembers valid values. */
  submit(entered: readonly EnteredValue[]): FormOutcome {
    const outcome = this.#read(entered);
    this.#fields = outcome.fields;
    this.#revision += 1;
    if (outcome.kind === 'valid') this.#remember();
    return outcome;
  }

  /** @returns whether the state of the form has changed. */
  async handle(request: FormRequest): Promise<boolean> {
    const { memory, key } = this.#options;
    switch (request.kind) {
      case 'useSet': {
        const set = memory.sets(key).find((one) => one.name === request.name);
        if (set === undefined) return false;
        this.#valueSet = set.name;
        this.fill(set.values);
        return true;
      }
      case 'saveSet':
        return await this.#saveSet(request.values);
      case 'forget':
        await memory.forget(key);
        this.#fill(request.values);
        this.#fields = this.#fields.map((field) => ({ ...field, recent: [] }));
        this.#revision += 1;
        void setStatusBarMessage(
          vscode.l10n.t('The remembered parameter values of this query were deleted.'),
          5_000,
        );
        return true;
      case 'draft':
        this.#fill(request.values);
        return true;
      default:
        return request satisfies never;
    }
  }

  #fill(entered: readonly EnteredValue[]): void {
    this.#fields = draftForm(this.#fields, entered, { now: new Date(), words: problemWords });
  }

  async #saveSet(entered: readonly EnteredValue[]): Promise<boolean> {
    const { memory, key } = this.#options;
    // Keep the input even if values are invalid: naming a value set must not discard it.
    const outcome = this.#read(entered);
    this.#fields = outcome.fields;
    this.#revision += 1;
    if (outcome.kind === 'invalid') return true;
    const name = await askSetName(
      this.#valueSet ?? '',
      memory.sets(key).map((set) => set.name),
    );
    if (name === undefined) return false;
    await memory.saveSet(key, { name, values: valuesOf(this.#fields) });
    this.#valueSet = name;
    return true;
  }

  #read(entered: readonly EnteredValue[]): FormOutcome {
    return readForm(this.#fields, entered, { now: new Date(), words: problemWords });
  }

  #remember(): void {
    const { memory, key, log } = this.#options;
    memory.remember(key, valuesOf(this.#fields)).catch((error: unknown) => {
      log.warn(`parameter values were not kept: ${errorName(error)}`);
    });
  }
}

/** Returns the values that may be stored: all except secrets. */
function valuesOf(fields: readonly ParameterField[]): Record<string, RememberedValue> {
  return Object.fromEntries(
    fields
      .filter((field) => !field.isSecret)
      .map(({ name, text, isNull, isEmpty }) => [name, { text, isNull, isEmpty }]),
  );
}

async function askSetName(suggestion: string, known: readonly string[]): Promise<string | undefined> {
  const name = await showInputBox({
    title: vscode.l10n.t('Save Values as a Set'),
    prompt: vscode.l10n.t('For example, the country and account type that the values are for.'),
    value: suggestion,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const trimmed = value.trim();
      if (trimmed === '') return vscode.l10n.t('Enter a name.');
      if (trimmed.length > 100) return vscode.l10n.t('Keep the name under 100 characters.');
      return known.includes(trimmed)
        ? {
            message: vscode.l10n.t('Replaces the values of "{0}".', trimmed),
            severity: vscode.InputBoxValidationSeverity.Warning,
          }
        : undefined;
    },
  });
  return name?.trim();
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
