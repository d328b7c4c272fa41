/** An inspector next to the grid: a title with buttons, and whole values below. Escape closes it. */
import type { CellValue } from '#panel-protocol/rows.ts';
import { element, iconButton } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { spreadJson } from './spread-json.ts';

export interface InspectorEvents {
  readonly close: () => void;
  readonly copy: (text: string) => void;
}

export function inspectorFrame(
  options: {
    readonly label: string;
    readonly class?: string;
    readonly title: HTMLElement;
    readonly copyLabel: string;
    /** Returns the text that the button copies. */
    readonly copied: () => string;
    /** Buttons between the title and the standard buttons. */
    readonly buttons?: readonly HTMLElement[];
  },
  on: InspectorEvents,
  ...body: readonly HTMLElement[]
): HTMLElement {
  return element(
    'aside',
    {
      class: `inspector ${options.class ?? ''}`.trim(),
      aria: { label: options.label },
      on: {
        keydown: (event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          on.close();
        },
      },
    },
    element(
      'div',
      { class: 'inspector-head' },
      options.title,
      ...(options.buttons ?? []),
      iconButton('copy', options.copyLabel, () => on.copy(options.copied())),
      iconButton('close', t('Close'), on.close),
    ),
    ...body,
  );
}

export function inspectorTitle(): HTMLElement {
  return element('h2', { class: 'inspector-title' });
}

/** Returns a function that formats JSON over several lines and leaves other text unchanged. */
export function spreadValue({ isJson }: CellValue): (text: string) => string {
  return (text) => (isJson && /^[[{]/.test(text) ? spreadJson(text) : text);
}
