/** Parses declared parameters (`-- @param NAME TYPE = DEFAULT TEXT`), and reports conflicts with the query. */
import { t } from '#base/texts.ts';
import type { Directive } from '#server/language/text/directives.ts';
import { finding, type Finding } from '../finding.ts';
import { TokenKind, type LexedText } from '#server/language/text/lexer/tokens.ts';

export interface DeclaredParameter {
  readonly name: string;
  /** As written, for example `date` or `text[]`; undefined if omitted. */
  readonly type?: string;
  /** The default value without quotes. */
  readonly defaultValue?: string;
  readonly description?: string;
  /** UTF-16 offsets of the name. */
  readonly start: number;
  readonly end: number;
}

/** Parameter types, with a pattern for their values if it is simple enough. */
const types: ReadonlyMap<string, RegExp | undefined> = new Map<string, RegExp | undefined>([
  ...'text varchar char enum secret json jsonb interval timestamp timestamptz time timetz inet cidr bytea'
    .split(' ')
    .map((type) => [type, undefined] as const),
  ...'integer int bigint smallint int2 int4 int8'.split(' ').map((type) => [type, /^[+-]?\d+$/] as const),
  ...'numeric decimal real float float4 float8'
    .split(' ')
    .map((type) => [type, /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i] as const),
  ...'boolean bool'.split(' ').map((type) => [type, /^(true|false|t|f|yes|no|on|off|1|0)$/i] as const),
  [
    'date',
    /^(\d{4,}-\d{2}-\d{2}|-?infinity|(today|now|yesterday|tomorrow|start of (week|month|quarter|year))(\s*[+-]\s*\d+\s*[a-z]+)*)$/i,
  ],
  ['uuid', /^\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i],
]);

export const parameterTypes: readonly string[] = [...types.keys()];

const declaration = /^(\S+)(?:\s+([^\s=]+))?(?:\s*=\s*('(?:[^']|'')*'|\S+))?(?:\s+(.*))?$/;

/** A quoted description with the default after it. */
const lateDefault = /^("[^"]*"|'[^']*')\s*=\s*('(?:[^']|'')*'|\S+)(.*)$/;

export function readParameters(directives: readonly Directive[]): readonly DeclaredParameter[] {
  return directives.flatMap((directive) => {
    const match = directive.name === 'param' ? declaration.exec(directive.argument) : null;
    const name = match?.[1];
    if (match === null || name === undefined || !isName(name)) {
      return [];
    }
    const [, , type, defaultValue, description] = match;
    return {
      name,
      ...(type === undefined ? {} : { type }),
      ...(defaultValue === undefined ? {} : { defaultValue: unquote(defaultValue) }),
      ...(description === undefined ? {} : { description }),
      start: directive.argumentStart,
      end: directive.argumentStart + name.length,
    };
  });
}

/** Returns the names as they are listed: the declared ones in that order, then the others in order of first use. */
export function inDeclaredOrder(declared: Iterable<string>, used: Iterable<string>): readonly string[] {
  const names = new Set(used);
  return [...new Set([...[...declared].filter((name) => names.has(name)), ...names])];
}

export function checkParameters(lexed: LexedText, directives: readonly Directive[]): readonly Finding[] {
  const declared = readParameters(directives);
  return [
    ...directives.flatMap(checkDirective),
    ...checkDeclarations(declared),
    ...checkUses(lexed, declared),
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
  if (name === 'model' && (argument === '' || /\s/.test(argument))) {
    return report(t('Write one model: -- @model platform_identity'), start, end);
  }
  if (name !== 'param') {
    return [];
  }
  const [, parameter, type, defaultValue, description = ''] = declaration.exec(argument) ?? [];
  if (parameter === undefined) {
    return report(
      t('Write a name and a type: -- @param since date = 2026-01-01 Only activities after this day'),
      start,
      end,
    );
  }
  if (!isName(parameter)) {
    return report(
      t(
        '"{0}" is not a valid parameter name. Use letters, digits and underscores, without a colon or a leading digit.',
        parameter,
      ),
      argumentStart,
      Math.min(argumentStart + parameter.length, argumentEnd),
    );
  }
  const late = defaultValue === undefined ? lateDefault.exec(description) : null;
  if (late === null) {
    return [];
  }
  const [, quoted = '', value = '', rest = ''] = late;
  const newText = `${parameter} ${type ?? 'text'} = ${value} ${quoted.slice(1, -1)}${rest}`.trimEnd();
  const edits = [{ start: argumentStart, end: argumentEnd, newText }];
  return report(
    t('The default goes before the description: {0}', `-- @param ${newText}`),
    argumentEnd - description.length,
    argumentEnd,
  ).map((found) => ({ ...found, fix: { title: t('Replace with `{0}`', newText), edits } }));
}

function checkDeclarations(declared: readonly DeclaredParameter[]): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { name, type, defaultValue, start, end } of declared) {
    if (seen.has(name)) {
      findings.push(
        finding(
          'DUPLICATE_PARAMETER',
          t('"{0}" is declared twice. Remove one of the lines.', name),
          start,
          end,
        ),
      );
    }
    seen.add(name);
    const isList = type?.endsWith('[]') === true;
    const element =
      type
        ?.toLowerCase()
        .replace(/\[\]$/, '')
        .replace(/^(enum)\(.+\)$/, '$1')
        .replace(/\([\d,]*\)$/, '') ?? 'text';
    const pattern = types.get(element);
    if (!types.has(element)) {
      const known = parameterTypes.join(', ');
      const message = t('"{0}" is not a parameter type. Types: {1}; with [] for a list.', type ?? '', known);
      findings.push(finding('INVALID_DIRECTIVE', message, start, end));
    } else if (!isList && defaultValue !== undefined && pattern?.test(defaultValue) === false) {
      const message = t('The default of "{0}" is not of type {1}.', name, type ?? '');
      findings.push(finding('INVALID_DIRECTIVE', message, start, end));
    }
  }
  return findings;
}

function checkUses({ code }: LexedText, declared: readonly DeclaredParameter[]): readonly Finding[] {
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
    if (!used.has(name)) {
      findings.push(finding('UNUSED_PARAMETER', t('"{0}" is declared but never used.', name), start, end));
    }
  }
  return findings;
}

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

const unquote = (text: string): string =>
  text.startsWith("'") && text.endsWith("'") && text.length > 1
    ? text.slice(1, -1).replaceAll("''", "'")
    : text;
