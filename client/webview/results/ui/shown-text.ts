/** A cell's text on one line. Nothing is lost: copying and the cell inspector take the value itself. */
import { escapeHidden } from '../../../../panel-protocol/texts.ts';

const controls = /[\u0000-\u001f\u007f]/g;

/** Line breaks and tabs become visible signs, other control characters their pictures, hidden ones their numbers. */
export function shownText(text: string): string {
  return escapeHidden(
    text
      .replace(/\r\n|[\r\n]/g, '↵')
      .replace(/\t/g, '→')
      .replace(controls, pictureOf),
  );
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
}
