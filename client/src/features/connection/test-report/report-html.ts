/** The page of a report, with text and links but no scripts. Uses theme colors; symbols convey the same information. */
import { commands } from '#client/contributions.ts';
import type { FailureAction } from '#core/failures/failure.ts';
import { statusSymbols } from '#panel-protocol/connection-form.ts';
import type { AssumptionRow, AssumptionsReport } from './assumptions.ts';
import type { Report, ReportRow } from './report.ts';

export interface PageOptions {
  /** Translates text; `{0}` is the first value. */
  readonly translate: (text: string, ...values: readonly string[]) => string;
  readonly language: string;
  readonly nonce: string;
}

export function reportHtml(report: Report, { translate, language, nonce }: PageOptions): string {
  const copy = link({ title: translate('Copy Report'), command: commands.connectionCopyReport });
  const again = link({
    title: translate('Test Again'),
    command: commands.connectionTest,
    arguments: [report.name],
  });
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(translate('Connection test: {0}', report.name))}</title>
${styleSheet(nonce)}
</head>
<body>
<main>
<h1>${escapeHtml(report.name)}</h1>
<p class="summary ${statusOf(report)}">${escapeHtml(report.summary)}</p>
<p class="actions">${copy} ${again}</p>
<ol class="steps">
${report.rows.map(rowHtml).join('\n')}
</ol>
${report.assumptions === undefined ? '' : assumptionsHtml(report.assumptions, translate)}
<h2>${escapeHtml(translate('Tested'))}</h2>
<dl>
${report.facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>`;
}

function statusOf({ hasFailed, rows }: Report): ReportRow['status'] {
  if (hasFailed) return 'failed';
  return rows.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}

/** Expands differences; each assumption that holds takes one line. */
function assumptionsHtml({ summary, rows }: AssumptionsReport, translate: PageOptions['translate']): string {
  return `<h2>${escapeHtml(translate('Assumptions'))}</h2>
<p>${escapeHtml(translate("The service's specification leaves gaps. This lists what Identity Queries assumes, and whether this service agrees."))}</p>
<p>${escapeHtml(summary)}</p>
<ul class="steps">
${rows.map(assumptionHtml).join('\n')}
</ul>`;
}

const verdictClasses: Readonly<Record<AssumptionRow['verdict'], ReportRow['status']>> = {
  holds: 'ok',
  differs: 'warning',
  unknown: 'skipped',
};

function assumptionHtml({ id, verdict, word, title, text }: AssumptionRow): string {
  const status = verdictClasses[verdict];
  const more = text === '' ? '' : `\n<p>${escapeHtml(text)}</p>`;
  return `<li class="${status}">
<span class="symbol" role="img" aria-label="${escapeHtml(word)}">${verdict === 'unknown' ? '?' : statusSymbols[status]}</span>
<div class="step">
<h3 class="step-title">${escapeHtml(title)} <span class="target">${escapeHtml(id)}</span></h3>${more}
</div>
</li>`;
}

function rowHtml(row: ReportRow): string {
  const ms = row.ms === undefined ? '' : `<span class="ms">${row.ms} ms</span>`;
  const actions = row.actions.length === 0 ? '' : `<p class="actions">${row.actions.map(link).join(' ')}</p>`;
  return `<li class="${row.status}">
<span class="symbol" role="img" aria-label="${escapeHtml(row.word)}">${statusSymbols[row.status]}</span>
<div class="step">
<h2 class="step-title">${escapeHtml(row.title)} <span class="target">${escapeHtml(row.target)}</span> ${ms}</h2>
${row.text === '' ? `<p>${escapeHtml(row.word)}</p>` : `<p>${escapeHtml(row.text)}</p>`}
${actions}
</div>
</li>`;
}

function link(action: FailureAction): string {
  return `<a class="button" href="${escapeHtml(commandUri(action))}">${escapeHtml(action.title)}</a>`;
}

/** Returns a URI that runs a command, on pages that allow it. */
export function commandUri(action: FailureAction): string {
  const query =
    action.arguments === undefined || action.arguments.length === 0
      ? ''
      : `?${encodeURIComponent(JSON.stringify(action.arguments))}`;
  return `command:${action.command}${query}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function styleSheet(nonce: string): string {
  return `<style nonce="${nonce}">
body { color: var(--vscode-foreground); font: var(--vscode-font-size) / 1.5 var(--vscode-font-family); padding: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.5rem 3rem; }
h1 { font-size: 1.6em; font-weight: 600; margin: 0; }
h2 { font-size: 1.1em; font-weight: 600; margin: 2rem 0 0.5rem; }
.step-title { font-size: 1em; margin: 0; }
p { margin: 0.15rem 0 0; overflow-wrap: anywhere; }
.summary { font-size: 1.15em; margin-top: 0.25rem; }
.summary.ok::before { content: "${statusSymbols.ok}\u00a0" / ""; color: var(--vscode-testing-iconPassed, var(--vscode-foreground)); }
.summary.failed::before { content: "${statusSymbols.failed}\u00a0" / ""; }
.summary.failed { color: var(--vscode-errorForeground); }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.6rem 0 0; }
.button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); border-radius: 4px; padding: 0.15rem 0.7rem; text-decoration: none; }
.button:hover { background: var(--vscode-button-secondaryHoverBackground); color: var(--vscode-button-secondaryForeground); }
.button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.steps { list-style: none; margin: 1.5rem 0 0; padding: 0; }
li { display: flex; gap: 0.9rem; padding: 0.65rem 0; border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
.symbol { flex: none; width: 1.4rem; height: 1.4rem; line-height: 1.4rem; text-align: center; font-weight: 700; border-radius: 50%; border: 1px solid currentColor; }
.step { min-width: 0; }
li.ok .symbol { color: var(--vscode-testing-iconPassed, var(--vscode-foreground)); }
li.warning .symbol { color: var(--vscode-editorWarning-foreground, var(--vscode-foreground)); }
li.failed .symbol { color: var(--vscode-errorForeground); }
li.skipped .symbol, li.skipped p { color: var(--vscode-descriptionForeground); }
.target, .ms { font-weight: 400; color: var(--vscode-descriptionForeground); }
.target { font-family: var(--vscode-editor-font-family); margin-inline-start: 0.4rem; }
.ms { margin-inline-start: 0.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.25rem; margin: 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; }
</style>`;
}
