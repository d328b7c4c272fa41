/** The interface of every body of the panel. */
import type { ResultView } from '../../../../panel-protocol/messages.ts';

/** A body that accepts later states of its kind. */
export interface Body {
  readonly element: HTMLElement;
  /** @returns false if it cannot show this; then another body is created. */
  update(view: ResultView): boolean;
  focus(): void;
  /** For screen readers when the body appears; alerts announce themselves. */
  readonly announcement?: string;
  /** Called once the element is in the document. */
  attached?(): void;
  dispose(): void;
}
