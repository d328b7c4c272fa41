/**
 * Remembers what the editor shows for each document, so that findings are not shown again without a change: the editor
 * reacts to any set of findings by requesting code actions anew, which cancels a Quick Fix that is still loading. The
 * server repeats its findings whenever models or settings arrive, which is several times in a new window.
 */

/** The members of a diagnostic that are shown. */
export interface ShownFinding {
  readonly range: unknown;
  readonly message: string;
  readonly severity: number;
  readonly source?: string | undefined;
  readonly code?:
    | string
    | number
    | { readonly value: string | number; readonly target: { toString(): string } }
    | undefined;
  readonly tags?: readonly number[] | undefined;
  readonly relatedInformation?:
    | readonly {
        readonly location: { readonly uri: { toString(): string }; readonly range: unknown };
        readonly message: string;
      }[]
    | undefined;
}

export class ShownDiagnostics {
  readonly #shown = new Map<string, string>();

  /**
   * Returns whether the document does not show these findings yet.
   *
   * @param version the document's version, or undefined if it is closed. Edits move what is shown, so the same findings
   *   are news after an edit.
   */
  areNews(uri: string, version: number | undefined, diagnostics: readonly ShownFinding[]): boolean {
    if (version === undefined) {
      this.#shown.delete(uri);
      return true;
    }
    const key = JSON.stringify([version, diagnostics.map(partsOf)]);
    const areNews = this.#shown.get(uri) !== key;
    this.#shown.set(uri, key);
    return areNews;
  }
}

/** Compares more than a diagnostic's own JSON, which lacks tags, links and related information. */
function partsOf({
  range,
  message,
  severity,
  source,
  code,
  tags,
  relatedInformation = [],
}: ShownFinding): unknown {
  return [
    range,
    message,
    severity,
    source,
    typeof code === 'object' ? [code.value, code.target.toString()] : code,
    tags,
    relatedInformation.map((one) => [one.location.uri.toString(), one.location.range, one.message]),
  ];
}
