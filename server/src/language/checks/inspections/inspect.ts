/** Applies all rules to the queries of a statement. Runs in the parser's thread. */
import { child, list, text, walk, type Node } from '#server/language/tree/parse-tree.ts';
import type { ColumnFact, IdFact, Inspection, Problem } from './model.ts';
import { compare } from './rules/comparisons.ts';
import { aggregateInWhere, constantConditions, disconnectedTables } from './rules/conditions.ts';
import { ungroupedColumns } from './rules/grouping.ts';
import {
  duplicateNames,
  limitWithoutOrder,
  redundantDistinct,
  selectStar,
  setOperation,
} from './rules/outputs.ts';
import { notInNullable, unusedCommonTables } from './rules/subqueries.ts';
import { unrelatedIds } from './rules/unrelated-ids.ts';
import { commonTablesOf, type Report, type Rule, type Select } from './select.ts';

const ofEvery: readonly Rule[] = [unusedCommonTables, limitWithoutOrder];
const ofSetOperations: readonly Rule[] = [setOperation];
const ofSelects: readonly Rule[] = [
  compare,
  constantConditions,
  aggregateInWhere,
  disconnectedTables,
  ungroupedColumns,
  duplicateNames,
  selectStar,
  redundantDistinct,
  notInNullable,
  unrelatedIds,
];

/**
 * Inspects a parse tree. Finds nothing in statements that are not queries.
 * @param offsetOf maps the tree's byte locations to UTF-16 offsets
 */
export function inspect(tree: unknown, offsetOf: (byte: number) => number): Inspection {
  const problems: Problem[] = [];
  const facts: ColumnFact[] = [];
  const ids: IdFact[] = [];
  const report: Report = {
    problem: (problem) => problems.push(problem),
    fact: (fact) => facts.push(fact),
    ids: (fact) => ids.push(fact),
    offsetOf,
  };
  const top = child(child(list(child({ tree }, 'tree')?.stmts)[0], 'stmt'), 'SelectStmt');
  if (top !== undefined) {
    const names: ReadonlySet<string> = new Set();
    visit(
      {
        node: top,
        commonTables: names,
        place: 'top',
        seesOuter: false,
        isSide: false,
        isDistinctSide: false,
      },
      report,
    );
  }
  return { problems, facts, ids };
}

function visit(select: Select, report: Report): void {
  const { node } = select;
  const ctes = commonTablesOf(node);
  const commonTables =
    ctes.length === 0
      ? select.commonTables
      : new Set([...select.commonTables, ...ctes.map(({ ctename }) => text(ctename))]);
  const own: Select = { ...select, commonTables };
  const { seesOuter } = select;
  for (const cte of ctes) {
    const query = child(child(cte, 'ctequery'), 'SelectStmt');
    if (query !== undefined) {
      visit(
        { node: query, commonTables, place: 'common-table', seesOuter, isSide: false, isDistinctSide: false },
        report,
      );
    }
  }
  const left = child(node, 'larg');
  const right = child(node, 'rarg');
  const isSetOperation = left !== undefined && right !== undefined;
  for (const rule of [...ofEvery, ...(isSetOperation ? ofSetOperations : ofSelects)]) rule(own, report);
  if (isSetOperation) {
    const isDistinctSide = node.all !== true;
    // The left branch determines the names of the result columns.
    visit({ node: left, commonTables, place: select.place, seesOuter, isSide: true, isDistinctSide }, report);
    const place = select.place === 'top' ? 'from' : select.place;
    visit({ node: right, commonTables, place, seesOuter, isSide: true, isDistinctSide }, report);
    return;
  }
  inner(own, report);
}

/** Visits the queries in FROM and in expressions. */
function inner({ node, commonTables, seesOuter }: Select, report: Report): void {
  const context = { commonTables, isSide: false, isDistinctSide: false };
  const parts = Object.entries(node).filter(([key]) => key !== 'withClause');
  walk(
    parts.map(([, part]) => part),
    (name, found: Node) => {
      if (name === 'SubLink') {
        const query = child(child(found, 'subselect'), 'SelectStmt');
        const use = text(found.subLinkType);
        if (query !== undefined)
          visit({ ...context, node: query, place: 'expression', seesOuter: true, use }, report);
        walkTest(found.testexpr);
        return false;
      }
      if (name === 'RangeSubselect') {
        const query = child(child(found, 'subquery'), 'SelectStmt');
        if (query !== undefined) {
          const isLateral = found.lateral === true;
          visit({ ...context, node: query, place: 'from', seesOuter: seesOuter || isLateral }, report);
        }
        return false;
      }
      if (name === 'SelectStmt') {
        visit({ ...context, node: found, place: 'from', seesOuter }, report);
        return false;
      }
      return true;
    },
  );

  function walkTest(expression: unknown): void {
    if (expression !== undefined) {
      inner(
        {
          node: { expression },
          commonTables,
          place: 'expression',
          seesOuter: true,
          isSide: false,
          isDistinctSide: false,
        },
        report,
      );
    }
  }
}
