/** Checks the model names in directives and table names against the service's list. */
import { t } from '#base/texts.ts';
import type { ReadOnlyVerdict } from '#server/protocol.ts';
import { closestName, findModel, isSystemSchema, type Catalogue } from '../names/catalogue.ts';
import { modelDirective, type Directive } from '../text/directives.ts';
import { nameAt } from '../text/identifiers.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { finding, type Finding } from './finding.ts';
import { isOneQuery } from './read-only/read-only.ts';

export function checkModels(
  code: TokenList,
  statements: readonly { readonly start: number; readonly end: number; readonly verdict: ReadOnlyVerdict }[],
  directives: readonly Directive[],
  { catalogue, model }: { readonly catalogue?: Catalogue; readonly model?: string },
): readonly Finding[] {
  // An empty list proves nothing, since the user may lack read access.
  if (catalogue === undefined || catalogue.models.length === 0) return [];
  const findings: Finding[] = [];
  const check = (name: string, start: number, end: number): void => {
    if (findModel(catalogue, name) === undefined && !isSystemSchema(name)) {
      const meant = closestName(
        name,
        catalogue.models.map((each) => each.name),
      );
      const found = finding('UNKNOWN_MODEL', describe(name, catalogue), start, end);
      const fix = {
        title: t('Replace with {0}', meant ?? ''),
        edits: [{ start, end, newText: meant ?? '' }],
      };
      findings.push(meant === undefined || start === end ? found : { ...found, fix });
    }
  };
  const directive = modelDirective(directives);
  if (directive !== undefined && !/\s/.test(directive.argument)) {
    check(directive.argument, directive.argumentStart, directive.argumentEnd);
  } else if (model !== undefined) {
    // The model is not named in the text, so the finding is at the start.
    check(model, 0, 0);
  }
  for (const { start, end, verdict } of statements) {
    if (isOneQuery(verdict)) {
      for (const index of qualifiers(code, code.at(start), code.at(end)))
        check(nameAt(code, index) ?? '', code.start(index), code.end(index));
    }
  }
  return findings;
}

function describe(name: string, catalogue: Catalogue): string {
  const names = catalogue.models.map((model) => model.name);
  const meant = closestName(name, names);
  const advice =
    meant === undefined
      ? t('Known models: {0}.', names.slice(0, 10).join(', '))
      : t('Did you mean "{0}"?', meant);
  return t('There is no model "{0}". {1}', name, advice);
}

/**
 * Finds the qualifiers of table names in FROM or JOIN: `model` in `model.table`, if no call follows. After a comma, a
 * `model.table` counts only if it is certainly in a FROM list.
 */
function* qualifiers(code: TokenList, first: number, end: number): Generator<number> {
  /** One entry per open parenthesis: whether a table name may follow a comma inside it. */
  const inFrom: boolean[] = [false];
  /** The words before the open parentheses, since some change the meaning of FROM. */
  const openers: string[] = [''];
  for (let index = first; index < end; index++) {
    const word = code.word(index);
    if (code.is(index, '(')) {
      // In FROM (a.b JOIN c.d), the parenthesis opens where a table name is possible.
      inFrom.push(mayStartTable(code, index, inFrom.at(-1) === true));
      openers.push(code.word(index - 1));
    } else if (code.is(index, ')')) {
      if (inFrom.length > 1) {
        inFrom.pop();
        openers.pop();
      }
    } else if (word === 'from') {
      inFrom[inFrom.length - 1] = isFromClause(code, index, openers.at(-1) ?? '');
    } else if (fromEnders.has(word) && !code.is(index - 1, '.')) {
      inFrom[inFrom.length - 1] = false;
    }
    // Checks for the dot first, since reading every name would dominate the check's run time.
    if (!code.is(index + 1, '.') || code.is(index - 1, '.') || nameAt(code, index) === undefined) continue;
    const isTable =
      nameAt(code, index + 2) !== undefined && !code.is(index + 3, '(') && !code.is(index + 3, '.');
    if (isTable && mayStartTable(code, index, inFrom.at(-1) === true)) yield index;
  }
}

const fromEnders = new Set(
  'where group having window order limit offset fetch union intersect except select on using values'.split(
    ' ',
  ),
);

/** Returns whether FROM expects a table at the token. */
function mayStartTable(code: TokenList, index: number, isInFrom: boolean): boolean {
  const previous = code.word(index - 1);
  if (previous === 'join') return true;
  if (previous === 'only') return mayStartTable(code, index - 1, isInFrom);
  return isInFrom && (previous === 'from' || code.is(index - 1, ',') || code.is(index - 1, '('));
}

/** Excludes `IS DISTINCT FROM`, and the FROM in extract, substring, trim, overlay and position. */
function isFromClause(code: TokenList, index: number, opener: string): boolean {
  const isDistinct = code.word(index - 1) === 'distinct' && ['is', 'not'].includes(code.word(index - 2));
  return !isDistinct && !callsWithFrom.has(opener);
}

const callsWithFrom = new Set(['extract', 'substring', 'trim', 'overlay', 'position']);
