/**
 * Formats a run as one page for an auditor: no network, no script, by keyboard, on paper, light and dark. Text from
 * outside is only ever text.
 */
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import { countedText } from '#base/words/counted-text.ts';
import { minuteText } from '#base/words/minute-text.ts';
import { numberText } from '#base/words/number-text.ts';
import { outcomes, worstFirst, exitCodeOf, type ControlResult, type Outcome } from '../control-result.ts';
import { changeWords, knownName } from '../history/change-labels.ts';
import type { RunHead } from '../history/history-format.ts';
import { tagText } from '../tags.ts';
import { nameOf, noteText, sampleNote, type ControlReport, type ReportedHistory } from './report.ts';

const words: Readonly<Record<Outcome, string>> = {
  pass: 'Passed',
  warn: 'Warning',
  fail: 'Failed',
  waived: 'Waived',
  error: 'Error',
};
/** Passing controls with details beyond this number have a line only, so that the page stays small. */
const detailsMax = 1_000;
/** Runs of the history that a page shows. */
export const runsShown = 90;
const waivedMax = 5_000;
/** Paper does not scroll: rows with more columns are printed as lists. */
const columnsOnPaper = 14;

export function htmlOf(report: ControlReport): string {
  const { results, startedAt, connection, problems, history } = report;
  const sorted = [...results].sort((a, b) => worstFirst(a.outcome, b.outcome));
  const isGood = exitCodeOf(results) === 0 && problems.length === 0;
  const title = `Controls on ${connection}, ${timeText(startedAt.toISOString())}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${isGood ? 'All controls in order' : 'Controls need attention'}</h1>
${facts(report)}
</header>
<main>
${summary(results)}
${history === undefined ? '' : news(history) + trend(history.runs)}
${section('problems', 'Files that could not be read', listOf(problems.map(noteText)))}
<section aria-labelledby="controls"><h2 id="controls">Controls</h2>
${tableOfControls(sorted, history)}
</section>
${waivedRows(sorted)}
${section('notes', 'To see to', listOf(results.flatMap(({ notes }) => notes.map(noteText))))}
${samples(sorted)}
${details(sorted, history)}
${howToVerify(report)}
</main>
</body>
</html>
`;
}

function facts({ connection, startedAt, ms, history, results }: ControlReport): string {
  const rows: (readonly [string, string])[] = [
    ['Connection', connection],
    ['Started', timeText(startedAt.toISOString())],
    ['Duration', `${(ms / 1_000).toFixed(1)} s`],
    ['Controls', numberText(results.length)],
    ...(history?.commit === undefined ? [] : [['Last commit', history.commit] as const]),
    ...(history === undefined ? [] : [['Run', history.run] as const]),
  ];
  return `<dl class="facts">${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>`;
}

function summary(results: readonly ControlResult[]): string {
  const counts = outcomes.map(
    (outcome) => [outcome, results.filter((one) => one.outcome === outcome).length] as const,
  );
  const cards = counts.map(
    ([outcome, count]) =>
      `<li${count === 0 ? ' class="none"' : ''}><span>${numberText(count)}</span> ${mark(outcome)}</li>`,
  );
  return `<section aria-labelledby="summary"><h2 id="summary">Summary</h2><ul class="cards">${cards.join('')}</ul></section>`;
}

function news({ changes, runs }: ReportedHistory): string {
  const title = runs.length < 2 ? 'New in this first run' : 'New since the run before';
  const lines = changes.slice(0, 500).map((change) => {
    const one = change.after ?? change.before;
    const rows = [
      ...(change.added === undefined || change.added === 0 ? [] : [countedText(change.added, 'new row')]),
      ...(change.removed === undefined || change.removed === 0 ? [] : [`${numberText(change.removed)} gone`]),
    ];
    const name = one === undefined ? '' : knownName(one);
    return `<li><strong>${text(changeWords(change))}</strong>: ${text(name)}${rows.length === 0 ? '' : ` (${rows.join(', ')})`}</li>`;
  });
  const rest =
    changes.length > lines.length ? `<li>and ${numberText(changes.length - lines.length)} more</li>` : '';
  return `<section aria-labelledby="new"><h2 id="new">${title}</h2>${
    lines.length === 0 ? '<p>Nothing.</p>' : `<ul>${lines.join('')}${rest}</ul>`
  }</section>`;
}

/** Bars of the last runs; the table beside them says the same in numbers. */
function trend(runs: readonly RunHead[]): string {
  const shown = runs.slice(-runsShown);
  if (shown.length < 2) return '';
  const most = shown.reduce((so, run) => Math.max(so, total(run)), 1);
  const [width, height] = [10, 120];
  const bars = shown.map((run, index) => {
    let y = height;
    return (['pass', 'waived', 'warn', 'fail', 'error'] as const)
      .map((outcome) => {
        const size = ((run.counts[outcome] ?? 0) / most) * height;
        y -= size;
        return size === 0
          ? ''
          : `<rect class="${outcome}" x="${index * width}" y="${y.toFixed(1)}" width="${width - 2}" height="${size.toFixed(1)}"/>`;
      })
      .join('');
  });
  const rows = [...shown].reverse().map((run) => {
    const cells = outcomes.map((outcome) => `<td class="number">${run.counts[outcome] ?? 0}</td>`);
    return `<tr><th scope="row">${text(timeText(run.startedAt))}</th>${cells.join('')}</tr>`;
  });
  return `<section aria-labelledby="trend"><h2 id="trend">The last ${shown.length} runs</h2>
<svg viewBox="0 0 ${shown.length * width} ${height}" role="img" aria-label="Outcomes of each run; the table below has the numbers" preserveAspectRatio="none" class="trend">${bars.join('')}</svg>
<details><summary>Numbers</summary><table><caption>Outcomes of each run, the latest first</caption><thead><tr><th scope="col">Run (UTC)</th>${outcomes
    .map((outcome) => `<th scope="col">${words[outcome]}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></details></section>`;
}

function total({ counts }: RunHead): number {
  return outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);
}

function tableOfControls(results: readonly ControlResult[], history: ReportedHistory | undefined): string {
  const hasConnection = results.some(({ connection }) => connection !== undefined);
  const hasPopulation = results.some(({ population }) => population !== undefined);
  const columns = [
    'Outcome',
    'Control',
    ...(hasConnection ? ['Connection'] : []),
    'Severity',
    'Found',
    ...(hasPopulation ? ['Population'] : []),
    ...(history === undefined ? [] : ['Since (UTC)']),
  ];
  const rows = results.map((result) => {
    const { control, outcome, connection, message, population } = result;
    const since = outcome === 'pass' ? undefined : history?.sinceOf(result);
    const cells = [
      `<td>${mark(outcome)}</td>`,
      `<th scope="row">${text(nameOf({ ...result, connection: undefined }))}</th>`,
      ...(hasConnection ? [`<td>${text(connection ?? '')}</td>`] : []),
      `<td>${text(control.severity)}</td>`,
      `<td class="found">${text(message)}</td>`,
      ...(hasPopulation ? [`<td class="number">${text(population?.count ?? '')}</td>`] : []),
      ...(history === undefined ? [] : [`<td>${since === undefined ? '' : text(timeText(since))}</td>`]),
    ];
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="Table of controls"><table><thead><tr>${columns
    .map((name) => `<th scope="col">${name}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function waivedRows(results: readonly ControlResult[]): string {
  const rows = results.flatMap((result) =>
    result.digests.flatMap((row) =>
      row.state === 'waived'
        ? [
            `<tr><th scope="row">${text(nameOf(result))}</th><td><code>${text(row.digest.slice(0, 12))}</code></td><td>${text(row.owner)}</td><td>${text(row.expires)}</td><td>${text(row.reason)}</td></tr>`,
          ]
        : [],
    ),
  );
  return rows.length === 0
    ? ''
    : section(
        'waived',
        'Waived rows',
        `<div class="wide" tabindex="0" role="region" aria-label="Table of waived rows"><table><thead><tr><th scope="col">Control</th><th scope="col">Row</th><th scope="col">By</th><th scope="col">Until (UTC)</th><th scope="col">Reason</th></tr></thead><tbody>${rows.slice(0, waivedMax).join('')}</tbody></table></div>${rows.length > waivedMax ? `<p>${numberText(rows.length - waivedMax)} more are in the JSON report.</p>` : ''}`,
      );
}

/** Rows, if they were asked for. */
function samples(results: readonly ControlResult[]): string {
  return section(
    'rows',
    'Rows',
    results
      .filter(({ outcome, sample }) => outcome !== 'pass' && sample !== undefined && sample.rows.length > 0)
      .map(({ sample, ...result }) => {
        const { columns = [], rows = [] } = sample ?? {};
        const isLong = columns.length > columnsOnPaper;
        const heads = columns.map((column) => `<th scope="col">${text(column)}</th>`);
        const cells = (values: readonly string[]) =>
          values
            .map((value, index) => {
              const label = isLong ? ` data-name="${text(columns[index] ?? '')}"` : '';
              return `<td${label}>${text(value)}</td>`;
            })
            .join('');
        const name = text(nameOf(result));
        const note = sampleNote({ ...result, sample });
        return `<h3>${name}</h3>${note === undefined ? '' : `<p>${note}</p>`}<div class="wide" tabindex="0" role="region" aria-label="Rows of ${name}"><table class="${isLong ? 'rows long' : 'rows'}"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>`;
      })
      .join(''),
  );
}

function details(results: readonly ControlResult[], history: ReportedHistory | undefined): string {
  const parts = results.slice(0, detailsMax).map((result) => {
    const { control, place, line, population, code, rows } = result;
    const found: readonly (readonly [string, string | undefined])[] = [
      ['Description', control.description],
      ['Expected', control.rules.expected],
      ['Owner', control.owner],
      ['Tags', control.tags.length === 0 ? undefined : control.tags.map(tagText).join(', ')],
      ['Key', control.key.length === 0 ? undefined : control.key.join(', ')],
      ['Code', code],
      [
        'Rows',
        rows === undefined ? undefined : `${rows.read} read, ${rows.waived} waived, ${rows.known} known`,
      ],
      [
        'Population',
        population === undefined
          ? undefined
          : `${population.count}, counted ${timeText(population.countedAt.toISOString())} by ${control.population?.sql ?? ''}`,
      ],
      ['Text (SHA-256)', history?.textOf(result)],
      ['Where', `${place.name}:${line}`],
    ];
    return `<details><summary>${text(nameOf(result))}</summary><dl>${found
      .map(([name, value]) =>
        value === undefined ? '' : `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`,
      )
      .join('')}</dl></details>`;
  });
  const left = results.length - parts.length;
  const rest =
    left > 0 ? `<p>The details of ${countedText(left, 'more control')} are in the JSON report.</p>` : '';
  return section('details', 'Each control', `${parts.join('')}${rest}`);
}

function howToVerify({ connection, history }: ControlReport): string {
  const steps = [
    ...(history?.commit === undefined ? [] : ['Check out the commit that is named above.']),
    `Run them again on ${text(connection)} with <code>controls run</code> of the command-line tool. Its exit code is 0 if every control passed, warned or was waived.`,
    ...(history === undefined
      ? []
      : [
          `See the outcomes over time with <code>controls history</code>. The run ${text(history.run)} has its own file.`,
          'A text whose SHA-256 begins with the digits above is the query that ran. If that of the commit begins with others, the control was changed after it.',
        ]),
    'A row is named by a digest (HMAC-SHA256) of its key, which only holders of the digest key can compute. This page has no row values unless they were asked for.',
    'A control whose outcome is unknown is an error, never a pass.',
  ];
  return section('verify', 'How to verify', `<ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`);
}

function section(id: string, title: string, content: string): string {
  return content === ''
    ? ''
    : `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${content}</section>`;
}

function listOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul>`;
}

/** The sign beside the word comes from the style sheet, so that color is never the only difference. */
function mark(outcome: Outcome): string {
  return `<b class="${outcome}">${words[outcome]}</b>`;
}

function timeText(iso: string): string {
  return `${minuteText(iso)} UTC`;
}

/** Escapes text for an element or an attribute in double quotes, and makes hidden characters visible. */
function text(value: string): string {
  return escapeHidden(value.toWellFormed())
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('##', '#&#35;');
}

const style = `
:root{color-scheme:light dark;--text:#1f2328;--back:#fff;--soft:#59636e;--line:#d1d9e0;--pass:#1a7f37;--warn:#7d4e00;--fail:#b3261e;--waived:#0550ae;--error:#8250df;--card:#f6f8fa}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--back:#0d1117;--soft:#9aa4af;--line:#3d444d;--pass:#3fb950;--warn:#e3b341;--fail:#ff7b72;--waived:#79c0ff;--error:#d2a8ff;--card:#161b22}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1.5rem;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .3rem}
dl{margin:0}dt{color:var(--soft)}dd{margin:0}
.facts{display:flex;flex-wrap:wrap;gap:.3rem 2rem}.facts dt{font-size:.85rem}
.cards{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:0;padding:0}
.cards li{flex:1 1 7rem;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.5rem .8rem}
.cards span{display:block;font-size:1.6rem;font-weight:600;line-height:1.2}.cards .none span{color:var(--soft)}
b{white-space:nowrap;font-weight:600}
b.pass{color:var(--pass)}b.warn{color:var(--warn)}b.fail{color:var(--fail)}b.waived{color:var(--waived)}b.error{color:var(--error)}
b.pass::before{content:"\\2713\\a0" / ""}b.warn::before{content:"! " / ""}b.fail::before{content:"\\2717\\a0" / ""}b.waived::before{content:"\\25cb\\a0" / ""}b.error::before{content:"? " / ""}
rect.pass{fill:var(--pass)}rect.warn{fill:var(--warn)}rect.fail{fill:var(--fail)}rect.waived{fill:var(--waived)}rect.error{fill:var(--error)}
.trend{width:100%;height:120px;background:var(--card);border:1px solid var(--line);border-radius:6px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}caption{text-align:left;color:var(--soft)}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line);font-weight:400}
thead th{white-space:nowrap;font-weight:600;border-bottom-width:2px}tbody th{min-width:12rem}.rows td{min-width:8rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
code{font:13px/1.4 ui-monospace,monospace;background:var(--card);padding:.1em .3em;border-radius:3px}
details{border-bottom:1px solid var(--line);padding:.3rem 0}summary{cursor:pointer}details dl{padding:.3rem 1.2rem}
details dl div{display:grid;grid-template-columns:10rem 1fr;gap:.5rem}
:focus-visible{outline:2px solid var(--waived);outline-offset:2px}
@media print{:root{--text:#000;--back:#fff;--soft:#444;--line:#999;--pass:#0b5d24;--warn:#6b4300;--fail:#98100a;--waived:#033d8b;--error:#5a32a3;--card:#fff}body{max-width:none;padding:0;font-size:10pt}tr,li,details{break-inside:avoid}thead{display:table-header-group}h2,h3{break-inside:avoid}h2,h3,h3+p{break-after:avoid}.wide{overflow:visible}.rows thead th{white-space:normal}table.rows{font-size:8pt}.rows td{min-width:0}th,td{padding:.25rem .35rem}table{font-size:8.5pt}tbody th,.found{min-width:8rem}.long thead{display:none}.long,.long tbody{display:block}.long tr{display:block;break-inside:auto;border-bottom:1px solid var(--line);padding:.4rem 0}.long td{display:grid;grid-template-columns:14rem 1fr;gap:.5rem;border:0;padding:0;break-inside:avoid}.long td::before{content:attr(data-name);color:var(--soft)}rect,b{print-color-adjust:exact}details::details-content{content-visibility:visible;block-size:auto}}
`;
