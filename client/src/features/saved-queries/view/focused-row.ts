/** The row of a tree that has the keyboard focus: the editor shows extensions only the selection. */

/** What is asked of a tree. */
export interface Selectable<Row> {
  readonly selection: () => readonly Row[];
  /** Puts the focused row into the selection, or takes it out. */
  readonly toggle: () => Promise<void>;
}

const attempts = 3;

/**
 * Returns the row with the keyboard focus by toggling it twice. A row that something else selects meanwhile, such as
 * that of an editor that just opened, is never taken for it: then the row is looked for again. Undefined if no row has
 * the focus, or if the selection does not come to rest.
 */
export async function focusedRow<Row>({ selection, toggle }: Selectable<Row>): Promise<Row | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = selection();
    await toggle();
    const toggled = selection();
    await toggle();
    const isUndisturbed = differences(before, selection()).length === 0;
    const changed = differences(before, toggled);
    if (isUndisturbed && changed.length <= 1) return changed[0];
  }
  return undefined;
}

function differences<Row>(one: readonly Row[], other: readonly Row[]): Row[] {
  return [...one.filter((row) => !other.includes(row)), ...other.filter((row) => !one.includes(row))];
}
