/** What every body of the panel can do. */
import type { ResultView } from '../../../../panel-protocol/messages.ts';

/** A body that takes later states of its kind. */
export interface Body {
  readonly element: HTMLElement;
  /** @returns false when it cannot show this; another body is made then. */
  update(view: ResultView): boolean;
  focus(): void;
  /** Called once the element is in the document. */
  attached?(): void;
  dispose(): void;
}
