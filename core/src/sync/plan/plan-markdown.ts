/** Formats a plan as Markdown, for a pull request comment or a job summary. */
import { reportLine } from '#base/shown-text/for-markdown.ts';
import { sayItem, type ItemWords } from './format-plan.ts';
import { isWrite, type Plan } from './plan.ts';

/** The first line of a comment, by which a later run finds it. */
const planMark = '<!-- identity-queries plan -->';

/** GitHub accepts at most 65,536 characters. */
const lengthMax = 60_000;

export function markdownOfPlan({ items }: Plan, { commit }: { readonly commit: string | undefined }): string {
  const words = items.map((item) => ({ ...sayItem(item), isSent: isWrite(item) }));
  const sent = words.filter(({ isSent }) => isSent);
  const decided = words.filter(({ mark }) => mark === '!');
  const brought = words.filter(({ mark, isSent }) => mark !== '!' && !isSent);
  const counts = [
    sent.length === 0 ? 'nothing to push' : `${sent.length} to push`,
    ...(decided.length === 0 ? [] : [`${decided.length} to decide`]),
  ];
  const title = `Saved queries: ${counts.join(', ')}`;
  const budget = { left: lengthMax };
  return [
    planMark,
    `## ${decided.length > 0 ? '⚠️' : sent.length > 0 ? '📝' : '✅'} ${title}`,
    ...(commit === undefined ? [] : ['', `What a push of ${reportLine(commit.slice(0, 12))} does:`]),
    ...(items.length === 0 ? ['', 'Both sides are the same.'] : []),
    ...section('A push sends', sent, budget),
    ...section('A push leaves, until someone decides', decided, budget),
    ...section('A pull brings', brought, budget),
    '',
  ].join('\n');
}

function section(title: string, words: readonly ItemWords[], budget: { left: number }): readonly string[] {
  if (words.length === 0) return [];
  const lines: string[] = [];
  for (const one of words) {
    const line = itemLine(one);
    if (line.length > budget.left) break;
    budget.left -= line.length;
    lines.push(line);
  }
  const more = words.length - lines.length;
  return [
    '',
    `### ${title}`,
    '',
    ...lines,
    ...(more === 0 ? [] : [`- and ${more} more: run \`identity-queries plan\``]),
  ];
}

function itemLine({ mark, text, advice, option }: ItemWords): string {
  const help = [advice, option].filter((part) => part !== undefined).map(reportLine);
  return `- \`${mark}\` ${[reportLine(text), ...help].join('<br>')}`;
}
