/** Completion and hover for directives. */
import { parameterTypes } from '../checks/parameters/parameters.ts';
import type { NameContext } from '../names/name-context.ts';
import { directiveNames, isDirectiveName } from '../text/control-directives.ts';
import { directiveWords } from '../text/directive-labels.ts';
import { readDirectives } from '../text/directives.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import { selectedNames } from './selected-names.ts';

interface Offer {
  readonly label: string;
  readonly kind: 'directive' | 'model' | 'type' | 'column' | 'keyword';
  readonly insertText: string;
  readonly detail?: string;
  readonly documentation?: string;
  readonly rank: number;
  readonly order: number;
}

interface Offers {
  readonly start: number;
  readonly end: number;
  readonly suggestions: readonly Offer[];
}

/** @param comment the comment's text up to the cursor */
export function completeDirective(
  comment: string,
  offset: number,
  { lexed, context }: { readonly lexed: LexedText; readonly context: NameContext },
): Offers {
  const offer = (typed: string, kind: Offer['kind'], labels: readonly string[]): Offers => ({
    start: offset - typed.length,
    end: offset,
    suggestions: labels.map((label, order): Offer => ({
      label,
      kind,
      insertText: label,
      rank: 0,
      order,
    })),
  });
  const [, name] = /^--\s*@(\w*)$/.exec(comment) ?? [];
  if (name !== undefined)
    return {
      start: offset - name.length,
      end: offset,
      suggestions: directiveNames.map((label, order) => ({
        label,
        kind: 'directive',
        insertText: label,
        detail: directiveWords[label].form,
        documentation: directiveWords[label].description(),
        rank: 0,
        order,
      })),
    };
  const [, model] = /^--\s*@model\s+(\S*)$/.exec(comment) ?? [];
  if (model !== undefined)
    return offer(
      model,
      'model',
      (context.catalogue?.models ?? []).map((each) => each.name),
    );
  const [, type] = /^--\s*@param\s+\w+\s+(\w*)$/.exec(comment) ?? [];
  if (type !== undefined) return offer(type, 'type', parameterTypes);
  const [, column] =
    /^--\s*@(?:key(?:\s[^,]*,)*|expect\s+column|(?:warn_if|error_if)\s+\w+\()\s*(\w*)$/.exec(comment) ?? [];
  if (column !== undefined) return offer(column, 'column', selectedNames(lexed, context));
  const [, directive = '', typed = ''] = /^--\s*@(\w+)\s+(.*)$/.exec(comment) ?? [];
  const values = isDirectiveName(directive) ? (directiveWords[directive].values ?? []) : [];
  return offer(
    typed,
    'keyword',
    values.filter((value) => value.startsWith(typed.toLowerCase())),
  );
}

export interface DirectiveMeaning {
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly description: string;
}

/** Returns undefined if there is no known directive at the offset. */
export function hoverOfDirective(lexed: LexedText, offset: number): DirectiveMeaning | undefined {
  const found = readDirectives(lexed).find(({ start, end }) => start <= offset && offset <= end);
  if (found === undefined || !isDirectiveName(found.name)) return undefined;
  const { form, description } = directiveWords[found.name];
  return {
    start: found.nameStart - 1,
    end: found.argumentEnd,
    title: `-- ${form}`,
    description: description(),
  };
}
