/** Formats queries, also with a comment at each boundary of two tokens, and checks that nothing but white space changes. */
import { hasSameTokens } from '#server/language/editing/format-guard.ts';
import { layOut, type PrintStyle } from '#server/language/editing/layout/layout.ts';
import { lex } from '#server/language/text/lexer/lex.ts';

export interface LayoutReport {
  texts: number;
  readonly faults: { readonly text: string; readonly why: string }[];
}

const comments = [
  '/* c */',
  '-- c\n',
  '\n-- c\n',
  '\n/* c */\n',
  '/* c\n c */',
  '/* c */\n',
  '\n/* c */',
  '\n\n-- c\n\n',
  '/* c */ -- d\n',
  '-- c\n-- d\n',
];

const usual: PrintStyle = { indent: '  ', lineEnd: '\n', width: 50, keywordCase: 'preserve' };
const styles: readonly PrintStyle[] = [
  usual,
  { ...usual, width: 20 },
  { ...usual, keywordCase: 'upper', indent: '\t' },
  { ...usual, width: 200, keywordCase: 'lower' },
];

/** @param every puts a comment at one in so many boundaries, from `first` on; 0 for none */
export function judgeLayouts(
  queries: readonly string[],
  { every, first, kinds = 1 }: { readonly every: number; readonly first: number; readonly kinds?: number },
): LayoutReport {
  const report: LayoutReport = { texts: 0, faults: [] };
  const judge = (text: string, style: PrintStyle): void => {
    report.texts++;
    const lexed = lex(text);
    const once = layOut(lexed, style);
    if (once.kind !== 'laid-out') {
      report.faults.push({ text, why: `refused at ${once.token}` });
      return;
    }
    const read = lex(once.text);
    const twice = layOut(read, style);
    if (!hasSameTokens(lexed, read, style.keywordCase !== 'preserve')) {
      report.faults.push({ text, why: `other tokens: ${once.text}` });
    } else if (twice.kind !== 'laid-out' || twice.text !== once.text) {
      report.faults.push({ text, why: `twice differs: ${once.text}` });
    }
  };
  let boundary = first;
  for (const sql of queries) {
    for (const style of styles) judge(sql, style);
    const { code } = lex(sql);
    for (let token = 0; token <= code.length; token++) {
      if (every === 0 || boundary++ % every !== 0) continue;
      const at = token < code.length ? code.start(token) : sql.length;
      for (let kind = 0; kind < kinds; kind++) {
        const comment = comments[(boundary + kind) % comments.length] ?? '';
        const style = styles[(boundary + kind) % styles.length] ?? usual;
        judge(`${sql.slice(0, at)} ${comment} ${sql.slice(at)}`, style);
      }
    }
  }
  return report;
}
