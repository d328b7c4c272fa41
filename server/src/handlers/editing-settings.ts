/** The user's settings for the optional editing features. */
import type { InlaySettings } from '../language/editing/inlay-hints.ts';

export interface EditingSettings extends InlaySettings {
  readonly codeLens: boolean;
}

/** Off by default, since other editors lack the client commands that the code lenses run. */
export const editingDefaults: EditingSettings = {
  parameterTypes: false,
  columnCount: false,
  codeLens: false,
};

/** Parses the client's `identityQueries.inlayHints` and `identityQueries.codeLens`. */
export function readEditingSettings(inlayHints: unknown, codeLens: unknown): EditingSettings {
  const isOn = (value: unknown, key: string): boolean =>
    typeof value === 'object' && value !== null && (value as Readonly<Record<string, unknown>>)[key] === true; // still unknown
  return {
    parameterTypes: isOn(inlayHints, 'parameterTypes'),
    columnCount: isOn(inlayHints, 'columnCount'),
    codeLens: isOn(codeLens, 'enabled'),
  };
}
