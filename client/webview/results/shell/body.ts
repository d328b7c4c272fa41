/** The interface of all panel bodies. */
import type { ResultView } from '#panel-protocol/messages.ts';

/** Shows a notice briefly. @param remedy offered as a button. */
export type Say = (text: string, remedy?: { readonly label: string; readonly act: () => void }) => void;

/** Draws one kind of state and accepts later states of that kind. */
export interface Body {
  readonly element: HTMLElement;
  /** @returns false if the body cannot draw the view and must be replaced. */
  update(view: ResultView): boolean;
  focus(): void;
  /** Announced to screen readers when the body appears; alerts announce themselves. */
  readonly announcement?: string;
  /** Called once the element is in the document. */
  attached?(): void;
  dispose(): void;
}
