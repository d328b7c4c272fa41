/** Reports unknown directives, and control rules that would fail at run time or never apply. */
import { t } from '#base/texts.ts';
import { closestName } from '#server/language/names/catalogue.ts';
import {
  columnWordsOf,
  directiveNames,
  isDirectiveName,
  isDirectiveWord,
  misplacedDirective,
  readControlDirectives,
  unknownDirective,
  type Condition,
  type ControlDirectives,
} from '#server/language/text/control-directives.ts';
import type { Directive, MisplacedDirective } from '#server/language/text/directives.ts';
import { parseKeep } from '#server/language/text/keep-directive.ts';
import type { Output, Query } from '#server/language/tree/query-model.ts';
import { finding, type Finding } from '../finding.ts';

export interface ControlContext {
  readonly statements: number;
  /** The selected columns; undefined if unknown. */
  readonly outputs: readonly Output[] | undefined;
  /** What is written like a directive where it has no effect. */
  readonly misplaced: readonly MisplacedDirective[];
}

/** Returns the columns that a query returns: those of a set operation are its first side's. */
export function outputsOf(query: Query | undefined): readonly Output[] | undefined {
  let first = query;
  while (first?.sides !== undefined) [first] = first.sides;
  // A query without outputs, such as VALUES, has columns whose names are not in its text.
  return first?.outputs.length === 0 ? undefined : first?.outputs;
}

export function checkControl(directives: readonly Directive[], context: ControlContext): readonly Finding[] {
  const control = readControlDirectives(directives, context.misplaced);
  const meant = context.misplaced.filter((directive) => directive.isMeant && !isDirectiveWord(directive));
  const unknown = [...directives, ...meant].flatMap((directive) =>
    checkName(directive, control !== undefined),
  );
  if (control === undefined)
    return [...unknown, ...orphans(directives), ...keeps(directives), ...strays(context.misplaced)];
  const invalid = control.problems
    .filter(({ kind }) => kind !== 'unknown-directive')
    .map(({ message, start, end }) => finding('INVALID_CONTROL', message, start, end));
  return [
    ...unknown,
    ...invalid,
    ...checkColumns(control, context),
    ...checkReach(control),
    ...checkCount(control, context),
  ];
}

/** Outside controls, an unknown directive is reported only if it looks like a misspelling. */
function checkName(directive: Directive, isControl: boolean): readonly Finding[] {
  const { name, nameStart: start } = directive;
  if (isDirectiveName(name)) return [];
  const end = start + name.length;
  const meant = closestName(name, directiveNames);
  if (meant === undefined)
    return isControl ? [finding('UNKNOWN_DIRECTIVE', unknownDirective(directive), start, end)] : [];
  const message = t('There is no directive @{0}. Did you mean @{1}?', name, meant);
  const fix = { title: t('Replace with {0}', `@${meant}`), edits: [{ start, end, newText: meant }] };
  return [{ ...finding('UNKNOWN_DIRECTIVE', message, start, end), fix }];
}

/** Reports rules outside a control, where they have no effect. */
function orphans(directives: readonly Directive[]): readonly Finding[] {
  const first = directives.find(({ name }) => ruleNames.has(name));
  if (first === undefined) return [];
  const message = t(
    '@{0} works only in controls. Make this query one: -- @control AC-01 Its title',
    first.name,
  );
  return [finding('INVALID_CONTROL', message, first.nameStart, first.nameStart + first.name.length)];
}

/** Reports a `@keep` by which nothing would be kept. */
function keeps(directives: readonly Directive[]): readonly Finding[] {
  const [first, second] = directives.filter(({ name }) => name === 'keep');
  if (first === undefined) return [];
  const { problem } = parseKeep(first);
  const at = problem === undefined ? second : first;
  if (at === undefined) return [];
  const message = problem ?? t('A query has one @{0}. Remove this line or the one before.', 'keep');
  const [start, end] = at.argument === '' ? [at.start, at.end] : [at.argumentStart, at.argumentEnd];
  return [finding('UNKNOWN_DIRECTIVE', message, start, end)];
}

/** Outside controls, a comment may use other words with an at sign, so only those that change a query, or make it a control, are reported. */
function strays(misplaced: readonly MisplacedDirective[]): readonly Finding[] {
  return misplaced
    .filter(({ name }) => changingNames.has(name.toLowerCase()))
    .map((directive) =>
      finding('UNKNOWN_DIRECTIVE', misplacedDirective(directive), directive.start, directive.argumentEnd),
    );
}

const ruleNames: ReadonlySet<string> = new Set(['expect', 'warn_if', 'error_if']);
const changingNames: ReadonlySet<string> = new Set([...ruleNames, 'control', 'param', 'model', 'keep']);

/**
 * Reports columns in directives that the query does not select. If the query's columns are not fully known, nothing is
 * reported: `*` may include any column.
 */
function checkColumns(
  control: ControlDirectives,
  { outputs, statements }: ControlContext,
): readonly Finding[] {
  if (outputs === undefined || statements !== 1) return [];
  if (outputs.some(({ name }) => name === undefined || name === '*')) return [];
  const names = outputs.flatMap(({ name }) => name ?? []);
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return columnWordsOf(control).flatMap(({ name, start, end }): readonly Finding[] => {
    if (lower.has(name.toLowerCase())) return [];
    const meant = closestName(name, names);
    const advice =
      meant === undefined
        ? t('It selects: {0}.', names.slice(0, 10).join(', '))
        : t('Did you mean "{0}"?', meant);
    const found = finding(
      'INVALID_CONTROL',
      t('The query selects no column "{0}". {1}', name, advice),
      start,
      end,
    );
    if (meant === undefined) return [found];
    const newText = /^[a-z_][a-z\d_$]*$/.test(meant) ? meant : `"${meant.replaceAll('"', '""')}"`;
    return [{ ...found, fix: { title: t('Replace with {0}', meant), edits: [{ start, end, newText }] } }];
  });
}

/** Reports a warning threshold that can never apply, because the control always fails first. */
function checkReach({ expect, warnIf, errorIf, places }: ControlDirectives): readonly Finding[] {
  const place = places.get('warn_if');
  if (warnIf === undefined || place === undefined || errorIf !== undefined) return [];
  const isAlwaysFailure = (expect?.kind === 'no-rows' || expect?.kind === 'column') && isAboveNothing(warnIf);
  if (!isAlwaysFailure) return [];
  const message = t(
    'Without @error_if, the control fails at the first row, so it never warns. Add a threshold: -- @error_if rows > 5',
  );
  return [finding('INVALID_CONTROL', message, place.argumentStart, place.argumentEnd)];
}

function isAboveNothing({ measure, comparison, value }: Condition): boolean {
  return measure.kind === 'rows' && ['>', '>=', '!='].includes(comparison) && Number(value) >= 0;
}

function checkCount(control: ControlDirectives, { statements }: ControlContext): readonly Finding[] {
  const place = control.places.get('control');
  if (statements <= 1 || place === undefined) return [];
  const message = t('A control is a single query, but this text contains {0}.', statements);
  return [finding('INVALID_CONTROL', message, place.argumentStart, place.argumentEnd)];
}
