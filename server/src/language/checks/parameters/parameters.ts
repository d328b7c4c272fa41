/** Parses declared parameters (`-- @param NAME TYPE = DEFAULT TEXT`), and reports conflicts with the query. */
import { t } from '#base/texts.ts';
import { elementTypeOf } from '#base/values/value-types.ts';
import type { Directive } from '#server/language/text/directives.ts';
import { TokenKind, type LexedText } from '#server/language/text/lexer/tokens.ts';
import { finding, type Finding } from '../finding.ts';
import { declaredTwice, defaultProblem, parameterLine, type ParameterLine } from './parameter-line.ts';

export interface DeclaredParameter extends ParameterLine {
  /** UTF-16 offsets of the name. */
  readonly start: number;
  readonly end: number;
}

/** The types that completion offers. */
export const parameterTypes: readonly string[] = (
  'text varchar char enum secret json jsonb interval timestamp timestamptz time timetz inet cidr bytea ' +
  'integer int bigint smallint int2 int4 int8 numeric decimal real float float4 float8 boolean bool date uuid'
).split(' ');

const knownTypes: ReadonlySet<string> = new Set(parameterTypes.map(elementTypeOf));

export function readParameters(directives: readonly Directive[]): readonly DeclaredParameter[] {
  return directives.flatMap((directive) => {
    const line = directive.name === 'param' ? parameterLine(directive) : undefined;
    if (line === undefined || directive.argument.startsWith(':')) return [];
    return {
      ...line,
      start: directive.argumentStart,
      end: directive.argumentStart + line.name.length,
    };
  });
}

/** Returns the names as they are listed: the declared ones in that order, then the others in order of first use. */
export function inDeclaredOrder(declared: Iterable<string>, used: Iterable<string>): readonly string[] {
  const names = new Set(used);
  return [...new Set([...[...declared].filter((name) => names.has(name)), ...names])];
}

/** @param usedAbove names of parameters that a query in a directive uses. */
export function checkParameters(
  lexed: LexedText,
  directives: readonly Directive[],
  usedAbove: readonly string[] = [],
): readonly Finding[] {
  const declared = readParameters(directives);
  return [
    ...directives.flatMap(checkDirective),
    ...checkDeclarations(declared),
    ...checkUses(lexed, declared, usedAbove),
  ];
}

/** Returns what is wrong with the lines and their defaults; any of it makes the outcome of a control unknown. */
export function parameterProblems(directives: readonly Directive[]): readonly Finding[] {
  const declared = readParameters(directives);
  return [
    ...directives.filter(({ name }) => name === 'param').flatMap(checkDirective),
    ...declared.flatMap(wrongDefault),
    ...repeated(declared),
  ];
}

function checkDirective({
  name,
  argument,
  argumentStart,
  argumentEnd,
  start,
  end,
}: Directive): readonly Finding[] {
  const report = (message: string, from: number, to: number): readonly Finding[] => [
    finding('INVALID_DIRECTIVE', message, from, to),
  ];
  if (name === 'model' && (argument === '' || /\s/.test(argument)))
    return report(t('Write one model: -- @model platform_identity'), start, end);
  if (name !== 'param') return [];
  const line = parameterLine({ argument });
  const [parameter = ''] = argument.split(/[\s=]/);
  if (parameter === '') {
    return report(
      t('Write a name and a type: -- @param since date = 2026-01-01 Only activities after this day'),
      start,
      end,
    );
  }
  if (line === undefined || line.name !== parameter) {
    return report(
      t(
        '"{0}" is not a valid parameter name. Use letters, digits and underscores, without a colon or a leading digit.',
        parameter,
      ),
      argumentStart,
      Math.min(argumentStart + parameter.length, argumentEnd),
    );
  }
  const { problem } = line;
  if (problem === undefined) return [];
  const { message, meant } = problem;
  const found = report(message, argumentStart + problem.start, argumentStart + problem.end).map(
    (each): Finding => ({ ...each, severity: 'error' }),
  );
  if (meant === undefined) return found;
  const edits = [{ start: argumentStart, end: argumentEnd, newText: meant }];
  return found.map((each) => ({ ...each, fix: { title: t('Replace with {0}', meant), edits } }));
}

function checkDeclarations(declared: readonly DeclaredParameter[]): readonly Finding[] {
  const typed = declared.flatMap((line): readonly Finding[] => {
    const { type, start, end } = line;
    if (knownTypes.has(elementTypeOf(type ?? 'text'))) return wrongDefault(line);
    const known = parameterTypes.join(', ');
    const message = t('"{0}" is not a parameter type. Types: {1}; with [] for a list.', type ?? '', known);
    return [finding('INVALID_DIRECTIVE', message, start, end)];
  });
  return [...repeated(declared), ...typed];
}

function repeated(declared: readonly DeclaredParameter[]): readonly Finding[] {
  const seen = new Set<string>();
  return declared.flatMap(({ name, start, end }) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst ? [] : [finding('DUPLICATE_PARAMETER', declaredTwice(name), start, end)];
  });
}

function wrongDefault(line: DeclaredParameter): readonly Finding[] {
  const message = line.problem === undefined ? defaultProblem(line) : undefined;
  return message === undefined ? [] : [finding('INVALID_DIRECTIVE', message, line.start, line.end)];
}

function checkUses(
  { code }: LexedText,
  declared: readonly DeclaredParameter[],
  usedAbove: readonly string[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const used = new Set<string>();
  const names = new Set(declared.map(({ name }) => name));
  for (let index = 0; index < code.length; index++) {
    const start = code.start(index);
    const end = code.end(index);
    const text = code.textOf(index);
    if (code.kind(index) === TokenKind.placeholder) {
      const name = text.slice(1);
      if (names.size > 0 && !names.has(name) && !used.has(name)) {
        const message = t(
          '"{0}" is not declared, although other parameters are. Declare it: -- @param {0} text',
          name,
        );
        findings.push(finding('UNDECLARED_PARAMETER', message, start, end));
      }
      used.add(name);
    } else if (code.kind(index) === TokenKind.string && /^':[A-Za-z_]\w*'$/.test(text)) {
      const message = t(
        'This is the text {0}, not a parameter. For a parameter, remove the quotes: its value is bound, never pasted.',
        text,
      );
      findings.push(finding('QUOTED_PLACEHOLDER', message, start, end));
    }
  }
  for (const { name, start, end } of declared) {
    if (!used.has(name) && !usedAbove.includes(name))
      findings.push(finding('UNUSED_PARAMETER', t('"{0}" is declared but never used.', name), start, end));
  }
  return findings;
}
