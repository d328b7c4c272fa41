/** Finds texts in which a number stands before a plural, without a singular for one: "1 rows". */
import ts from 'typescript-api';

/** What the product counts. Units of measure that are written in short, such as `s` and `ms`, have no plural. */
const counted =
  /^(?:accounts|answers|bytes|calls|cells|changes|characters|checks|clients|columns|connections|controls|days|deliveries|differences|digits|directories|entries|errors|events|exports|failures|fields|files|findings|folders|groups|grants|hours|identities|instances|items|keys|keywords|levels|lines|links|lists|matches|members|messages|milliseconds|minutes|models|months|names|objects|outcomes|packs|pages|parameters|parts|pieces|points|problems|queries|questions|reads|receivers|records|requests|resources|responses|results|roles|rows|runs|samples|schemas|seconds|servers|sheets|snapshots|sources|statements|steps|tables|texts|times|tokens|tries|types|users|values|versions|views|waivers|warnings|weeks|words|years)$/;

/** Words between a number and what it counts: `{0} saved queries`, but not `{0} is one of the queries`. */
const between =
  /^(?:in|of|the|is|are|was|were|has|have|and|or|with|without|lists|contains|by|to|for|from|as|a|an|at|not|on|that|which|needs|takes|returns|its|s|ms|min)$/;

/** Texts whose number is never one, and PostgreSQL's own messages, which have no singular. */
const neverOne = [
  'accounts needs a PostgreSQL server',
  ', ${accounts} accounts',
  'has ${columns.length} columns available but ${names.length} columns specified',
  '`subquery has too ${many} columns',
  'contains ${statements.length} statements. Only one',
  'contains ${found.length} records. Put one',
  'contains {0} statements. Select one',
  'contains {0} statements; at most',
  '{0} characters; the service accepts',
  'The text has ${text.length} characters.',
  'There are ${all} tables. These are the first',
  'of {0} rows in all',
  '{0} different values; the {1} most frequent',
  'more than {0} distinct values',
  'more than {0} values, too many for columns',
  'There are more than {0} groups',
  'reduced to {0} points',
  'first {1} rows',
  '{0} watched controls changed',
  '-- @keep ${runs} runs',
  '${waiverDaysDefault} days',
  // Time limits that nobody sets.
  'did not end within ${problem.seconds} seconds',
  'no answer within ${connectTimeoutMs',
  'timed out after {1} seconds',
  'The sandbox did not start within {0} seconds',
  'did not answer within {1} seconds',
  'took longer than {1} seconds',
  // The text for one is chosen beside it.
  'All {0} checks match.',
  "queries have'} changes that",
  "INTERVAL '${amount} days",
  'AS columns,',
];

/** A condition that asks for one: `count === 1`, `isSingular(count, language)`, `isOne`. */
const asksForOne = /(?:[!=]==? 1\b|> 1\b|< 2\b|isSingular\(|\bisOne\b)/;

/** Also verbs, so that they count only after what is written like a number. */
const alsoVerb =
  /^(?:answers|calls|changes|controls|lists|names|packs|reads|requests|runs|tokens|types|users|values)$/;
const likeNumber = /count|length|size|rows|queries|runs|number|Locale|total|more|\bleft\b|added|changes\./i;

/** No number, or one that is fixed and not one: a limit of the product. */
const limit = /(?:Words\(|(?:^|[.[_a-z])(?:Max|max|Most|most|Min|Limit|limit)|\blimits?\.|Max\b|^[A-Z_]+$)/;

/**
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {string[]} texts that have no singular, one sentence each
 */
export function pluralProblems(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const problems = [];
  /** @param {ts.Node} at */
  const visit = (at) => {
    for (const { number, plural } of countsIn(at)) {
      if (number !== undefined && (limit.test(number) || (alsoVerb.test(plural) && !likeNumber.test(number))))
        continue;
      if (hasSingular(at) || neverOne.some((known) => at.getText().includes(known))) continue;
      const { line } = source.getLineAndCharacterOfPosition(at.getStart(source));
      problems.push(
        `${file}:${line + 1}: "1 ${plural}": give the text a singular, chosen by isSingular (English alone: === 1)`,
      );
    }
    ts.forEachChild(at, visit);
  };
  visit(source);
  return problems;
}

/**
 * @param {ts.Node} at
 * @returns {{ number?: string, plural: string }[]} numbers before plurals in a text, as they are written in the code
 */
function countsIn(at) {
  if (ts.isTemplateExpression(at)) {
    let before = at.head.text;
    return at.templateSpans.flatMap(({ expression, literal }) => {
      const plural = isOfAll(before) ? undefined : pluralAfter(literal.text);
      before = literal.text;
      return plural === undefined ? [] : [{ number: expression.getText(), plural }];
    });
  }
  if (!ts.isStringLiteralLike(at)) return [];
  return [...at.text.matchAll(/\{(\d+)\}(?= )/g)].flatMap((match) => {
    const plural = isOfAll(at.text.slice(0, match.index))
      ? undefined
      : pluralAfter(at.text.slice(match.index + match[0].length));
    if (plural === undefined) return [];
    const number = valueOf(at, Number(match[1]));
    return [number === undefined ? { plural } : { number, plural }];
  });
}

/** @param {string} before a number @returns {boolean} whether it is all of which a part is named: `2 of 3 rows` */
function isOfAll(before) {
  return / of (?:the last )?$/.test(before);
}

/** @param {string} text after a number @returns {string | undefined} the plural that it counts */
function pluralAfter(text) {
  const words = /^((?: [A-Za-z-]+(?![\w/])){1,3})/.exec(text)?.[1]?.trim().split(' ') ?? [];
  for (const word of words) {
    if (counted.test(word)) return word;
    if (between.test(word)) return undefined;
  }
  return undefined;
}

/**
 * @param {ts.Node} at a text that is given to a translation
 * @param {number} index
 * @returns {string | undefined} the value of the placeholder, as it is written in the code
 */
function valueOf(at, index) {
  let call = at.parent;
  while (ts.isConditionalExpression(call) || ts.isParenthesizedExpression(call)) call = call.parent;
  return ts.isCallExpression(call) ? call.arguments[index + 1]?.getText() : undefined;
}

/** @param {ts.Node} at @returns {boolean} whether a condition around the text chooses another one for one */
function hasSingular(at) {
  for (let child = at, { parent } = at; parent !== undefined; child = parent, { parent } = parent) {
    if (
      ts.isConditionalExpression(parent) &&
      child !== parent.condition &&
      asksForOne.test(parent.condition.getText())
    )
      return true;
    if (
      ts.isIfStatement(parent) &&
      child !== parent.expression &&
      asksForOne.test(parent.expression.getText())
    )
      return true;
    if (ts.isBlock(parent) || ts.isSourceFile(parent)) {
      const before = parent.statements.slice(
        0,
        parent.statements.findIndex((each) => each === child),
      );
      if (
        before.some(
          (each) =>
            ts.isIfStatement(each) &&
            asksForOne.test(each.expression.getText()) &&
            ts.isReturnStatement(each.thenStatement),
        )
      )
        return true;
    }
  }
  return false;
}
