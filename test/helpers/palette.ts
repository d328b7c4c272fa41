/**
 * How VS Code's command palette finds commands (src/vs/platform/quickinput/browser/commandsQuickAccess.ts): labels that
 * contain the typed text, or whose words begin with its letters in order. Recently run commands come first; the others
 * are sorted by name. A typed title runs its command reliably only if it matches no other label.
 */

const separator = /[\s()[\]{}<>`'"\-/;:,.?!]/;

export function isFoundBy(typed: string, label: string): boolean {
  const [word, target] = [typed.toLowerCase(), label.toLowerCase()];
  if (target.includes(word)) return true;
  const seen = new Set<string>();
  const matches = (i: number, j: number): boolean => {
    if (i === word.length) return true;
    if (j >= target.length || seen.has(`${i} ${j}`)) return false;
    seen.add(`${i} ${j}`);
    // The label may lack typed separators.
    if (word[i] !== target[j]) return separator.test(word[i] ?? '') && matches(i + 1, j);
    return matches(i + 1, j + 1) || anchorsBehind(target, j + 1).some((anchor) => matches(i + 1, anchor));
  };
  return [0, ...anchorsBehind(target, 1)].some((start) => matches(0, start));
}

/** Returns the offsets at which words or separators start. */
function anchorsBehind(target: string, from: number): number[] {
  const isSeparator = (at: number) => separator.test(target[at] ?? '');
  return Array.from({ length: Math.max(0, target.length - from) }, (_, index) => from + index).filter(
    (at) => isSeparator(at) || (at > 0 && isSeparator(at - 1)),
  );
}
