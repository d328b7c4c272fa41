/** Row types of the Models view. */
import * as vscode from 'vscode';
import { isSingular } from '#base/translate.ts';
import { object, oneOf, unfit, type Parser } from '#client/ui/arguments.ts';
import { locale } from '#client/ui/locale.ts';
import type { MessageNode } from '#client/ui/message-node.ts';
import { ShownMarkdown } from '#client/ui/shown/markdown.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { CatalogueColumn, CatalogueModel, CatalogueTable } from '#server/protocol.ts';

export interface ModelNode {
  readonly kind: 'model';
  readonly model: string;
  readonly description: string;
}

export interface TableNode {
  readonly kind: 'table';
  readonly model: string;
  readonly table: CatalogueTable;
}

export interface ColumnNode {
  readonly kind: 'column';
  readonly model: string;
  readonly table: CatalogueTable;
  readonly column: CatalogueColumn;
}

export type SchemaNode = ModelNode | TableNode | ColumnNode;
export type ModelsNode = SchemaNode | MessageNode;

/** Returns an ID that is stable while the model, table and column keep their names. */
export function idOf(node: SchemaNode): string {
  const parts = [
    node.model,
    ...(node.kind === 'model' ? [] : [node.table.name]),
    ...(node.kind === 'column' ? [node.column.name] : []),
  ];
  // Half a character cannot be encoded in a URI, and would cost the whole view.
  return parts.map((part) => encodeURIComponent(part.isWellFormed() ? part : JSON.stringify(part))).join('/');
}

export function modelNode(model: CatalogueModel): ModelNode {
  return { kind: 'model', model: model.name, description: model.description ?? '' };
}

/** Returns the number of saved queries that use a table or column, or undefined if unknown. */
export type UseCount = (node: TableNode | ColumnNode) => number | undefined;

export function modelItem(node: ModelNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.model, vscode.TreeItemCollapsibleState.Collapsed);
  item.description = node.description;
  item.tooltip = node.description;
  item.accessibilityInformation = { label: labelOf(node.model, [node.description]) };
  item.iconPath = new vscode.ThemeIcon('database');
  item.contextValue = 'model';
  return item;
}

export function tableItem(node: TableNode, uses: number | undefined): vscode.TreeItem {
  const { table } = node;
  const item = new vscode.TreeItem(table.name, vscode.TreeItemCollapsibleState.Collapsed);
  const count = table.columns?.length ?? 0;
  const columns = vscode.l10n.t(isSingular(count, locale()) ? '{0} column' : '{0} columns', count);
  const used = usedBy(uses);
  item.description = [columns, used.short].filter((text) => text !== '').join(', ');
  item.tooltip = tooltip(table.name, columns, table.description, used.long);
  item.accessibilityInformation = { label: labelOf(table.name, [columns, table.description, used.long]) };
  item.iconPath = new vscode.ThemeIcon('table');
  item.contextValue = uses ? 'table.used' : 'table';
  return item;
}

export function columnItem(node: ColumnNode, uses: number | undefined): vscode.TreeItem {
  const { column, table } = node;
  const item = new vscode.TreeItem(column.name, vscode.TreeItemCollapsibleState.None);
  const nullable = column.nullable === false ? vscode.l10n.t('never NULL') : vscode.l10n.t('may be NULL');
  const used = usedBy(uses);
  const type = column.nullable === false ? vscode.l10n.t('{0} NOT NULL', column.type) : column.type;
  const refers = describeTargets(column);
  item.description = [type, refers.short, used.short].filter((text) => text !== '').join(', ');
  item.tooltip = tooltip(
    `${table.name}.${column.name}`,
    `${column.type}, ${nullable}`,
    column.description,
    refers.long,
    used.long,
  );
  item.accessibilityInformation = {
    label: labelOf(column.name, [column.type, nullable, column.description, refers.long, used.long]),
  };
  item.iconPath = new vscode.ThemeIcon(column.isOwnId === true ? 'key' : iconOf(column.type));
  item.contextValue = uses ? 'column.used' : 'column';
  return item;
}

function usedBy(uses: number | undefined): { readonly short: string; readonly long: string } {
  if (uses === undefined || uses === 0) return { short: '', long: '' };
  return {
    short: vscode.l10n.t('used by {0}', uses),
    long:
      uses === 1 ? vscode.l10n.t('Used by 1 saved query') : vscode.l10n.t('Used by {0} saved queries', uses),
  };
}

/** Describes the targets of a column's reference, most likely first. */
function describeTargets({ refersTo = [] }: CatalogueColumn): {
  readonly short: string;
  readonly long: string;
} {
  const targets = [...refersTo]
    .sort((a, b) => a.rank - b.rank)
    .map(({ model, table, column }) => [...(model === undefined ? [] : [model]), table, column].join('.'));
  const [first] = targets;
  return first === undefined
    ? { short: '', long: '' }
    : { short: `→ ${first}`, long: vscode.l10n.t('Refers to {0}', targets.join(', ')) };
}

function tooltip(
  name: string,
  facts: string,
  ...others: readonly (string | undefined)[]
): vscode.MarkdownString {
  const text = new ShownMarkdown().bold(name).text(facts);
  for (const other of others) text.text(other ?? '');
  return text.build();
}

/** Joins the facts for a screen reader: after a full stop, the next one needs no comma. */
function labelOf(name: string, facts: readonly (string | undefined)[]): string {
  return facts
    .filter((fact) => fact !== undefined && fact !== '')
    .reduce<string>((label, fact) => `${label}${/[.!?\u3002]$/u.test(label) ? ' ' : ', '}${fact}`, name);
}

export function iconOf(type: string): string {
  if (type.endsWith('[]')) return 'symbol-array';
  if (/^(json|jsonb)$/.test(type)) return 'json';
  if (/bool/.test(type)) return 'symbol-boolean';
  if (/^(timestamp|date|time)/.test(type)) return 'calendar';
  if (/int|numeric|double|real/.test(type)) return 'symbol-number';
  return 'symbol-string';
}

/** Parses a row of the view received from the editor: its kind determines the members. */
export const schemaNode: Parser<SchemaNode> = (value) => {
  const node = object({ kind: oneOf(['model', 'table', 'column']) })(value);
  return node === unfit ? unfit : (value as SchemaNode); // checked by kind
};

/** @throws ExpectedError if no row was chosen. */
export function nodeOf(node: SchemaNode | undefined): SchemaNode {
  if (node !== undefined) return node;
  throw new ExpectedError(vscode.l10n.t('Choose a row in the Models view first.'));
}

/**
 * Returns the rows that a command applies to: the selection if it includes the row on which the command was invoked,
 * otherwise that row.
 */
export function nodesOf(
  called: SchemaNode | undefined,
  selection: readonly unknown[] | undefined,
): readonly SchemaNode[] {
  const node = nodeOf(called);
  const selected = (selection ?? []).map(schemaNode).filter((each) => each !== unfit);
  return selected.some((each) => idOf(each) === idOf(node)) ? selected : [node];
}

export function tableOf(called: SchemaNode | undefined): TableNode {
  const node = nodeOf(called);
  if (node.kind === 'table') return node;
  if (node.kind === 'column') return { kind: 'table', model: node.model, table: node.table };
  throw new ExpectedError(vscode.l10n.t('Choose a table in the Models view first.'));
}
