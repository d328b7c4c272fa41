/** The enabled editing features, by the editor's settings. */
import type { InlaySettings } from '../language/editing/inlay-hints.ts';

export interface EditingSettings extends InlaySettings {
  readonly codeLens: boolean;
}

/** Off by default: an editor without the client's commands cannot use the lenses. */
export const editingDefaults: EditingSettings = {
  parameterTypes: false,
  columnCount: false,
  codeLens: false,
};

/** From the client's `identityQueries.inlayHints` and `identityQueries.codeLens`. */
export function readEditingSettings(inlayHints: unknown, codeLens: unknown): EditingSettings {
  const isOn = (value: unknown, key: string): boolean =>
    typeof value === 'object' && value !== null && (value as Readonly<Record<string, unknown>>)[key] === true; // Treated as unknown.
  return {
    parameterTypes: isOn(inlayHints, 'parameterTypes'),
    columnCount: isOn(inlayHints, 'columnCount'),
    codeLens: isOn(codeLens, 'enabled'),
  };
}
