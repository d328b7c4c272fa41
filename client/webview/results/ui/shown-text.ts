/** A cell's text on one line. Copying and the cell inspector use the original value. */
import { escapeHidden } from '#panel-protocol/panel-texts.ts';

const controls = /[\u0000-\u001f\u007f]/g;

/** Shows line breaks and tabs as symbols, control characters as pictures, and hidden characters as code points. */
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
