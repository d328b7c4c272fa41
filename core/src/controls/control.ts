/**
 * Controls: queries whose first lines state their expected result. A control is parsed from its text alone, so its
 * definition travels with the query.
 */
import { parameterProblems } from '#server/language/checks/parameters/parameters.ts';
import {
  readControlDirectives,
  type ControlSeverity,
  type Tag,
} from '#server/language/text/control-directives.ts';
import { misplacedDirectives, readDirectives, type Directive } from '#server/language/text/directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { TokenKind, type LexedText } from '#server/language/text/lexer/tokens.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import { parameterDeclarations, type ParameterDeclaration } from '../parameters/declarations.ts';
import { rulesOf, type Rules } from './rules.ts';

export type { ControlSeverity };

export interface Control {
  /** Unique among the controls in a run. Empty if the text has no ID, as reported in `problems`. */
  readonly id: string;
  readonly title: string;
  /** The plain comments above the query, one per line. Undefined if there are none. */
  readonly description?: string;
  readonly rules: Rules;
  readonly severity: ControlSeverity;
  /** Columns that identify a row over time. If empty, rows can be neither waived nor part of a baseline. */
  readonly key: readonly string[];
  readonly owner?: string;
  readonly tags: readonly Tag[];
  readonly population?: ControlPopulation;
  /**
   * The `@param` declarations with their defaults. A control can run unattended only if each parameter has a default.
   */
  readonly parameters: readonly ParameterDeclaration[];
  /** 1-based line numbers. */
  readonly lines: {
    readonly control: number;
    /**
     * Line for messages about the outcome: that of `@expect`, the threshold or `@control`, whichever comes first in
     * this list and exists.
     */
    readonly expect: number;
    /** Line for a warning, if a rule of its own asks for it. */
    readonly warn?: number;
    /** Line for messages about the population. */
    readonly population?: number;
  };
  /** Problems in the text. Any of them turns the outcome into an error. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** A count of what the control looks at. */
export interface ControlPopulation {
  /** The query, which lies in the range of the control's text. Positions are 0-based. */
  readonly sql: string;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  /** The least number for which the control may pass; 1 unless it says otherwise. */
  readonly least: string;
}

/** Parses a control; undefined if the text is not one. */
export function readControl(text: string): Control | undefined {
  const lexed = lex(text);
  const directives = readDirectives(lexed);
  const read = readControlDirectives(directives, misplacedDirectives(lexed));
  if (read === undefined) return undefined;
  const lines = new LineIndex(text);
  const lineAt = (offset: number) => lines.positionAt(offset).line + 1;
  const lineOf = (directive: Directive | undefined) => lineAt(directive?.start ?? 0);
  const { places } = read;
  const description = descriptionOf(lexed, directives);
  return {
    id: read.id,
    title: read.title === '' ? read.id : read.title,
    rules: rulesOf(read),
    severity: read.severity ?? 'medium',
    key: read.key.map(({ name }) => name),
    tags: read.tags,
    parameters: [...parameterDeclarations(text).values()],
    lines: {
      control: lineOf(places.get('control')),
      expect: lineOf(
        places.get('expect') ?? places.get('error_if') ?? places.get('warn_if') ?? places.get('control'),
      ),
      ...(places.has('warn_if') ? { warn: lineOf(places.get('warn_if')) } : {}),
      ...(places.has('population') ? { population: lineOf(places.get('population')) } : {}),
    },
    problems: [...read.problems, ...parameterProblems(directives)].map(({ start, message }) => ({
      line: lineAt(start),
      message,
    })),
    ...(read.owner === undefined ? {} : { owner: read.owner }),
    ...(read.population === undefined
      ? {}
      : {
          population: {
            sql: text.slice(read.population.start, read.population.end),
            range: {
              start: lines.positionAt(read.population.start),
              end: lines.positionAt(read.population.end),
            },
            least: read.population.least,
          },
        }),
    ...(description === '' ? {} : { description }),
  };
}

function descriptionOf({ all }: LexedText, directives: readonly Directive[]): string {
  const starts = new Set(directives.map(({ start }) => start));
  const lines: string[] = [];
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind !== TokenKind.comment && kind !== TokenKind.whitespace) break;
    const comment = all.textOf(index);
    if (kind === TokenKind.comment && comment.startsWith('--') && !starts.has(all.start(index)))
      lines.push(comment.slice(2).trim());
  }
  return lines.join('\n').trim();
}
