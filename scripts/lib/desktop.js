/** Checks whether a desktop VS Code can be downloaded and displayed. */
import { which } from './chromium.js';

const probeMs = 5_000;

/** Returns whether a window can be displayed. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Returns false without network access, and on Linux without a display. */
export async function findDownloadableVSCode() {
  if (!hasDisplay()) return false;
  try {
    const answer = await fetch('https://update.code.visualstudio.com/api/releases/stable', {
      signal: AbortSignal.timeout(probeMs),
    });
    return answer.ok;
  } catch {
    return false; // the download is unreachable, so code-server is used
  }
}

/** @returns {string | undefined} the `code` executable of an installed VS Code */
export function findDesktopCode() {
  return which('code');
}
