/** A searchable list of past runs: open a run, run it again, or compare two. */
import * as vscode from 'vscode';
import { exactMomentText } from '#base/words/moment-text.ts';
import { answerTo } from '#client/ui/answer-to.ts';
import { createQuickPick, followMeant } from '#client/ui/shown/quick-picks.ts';
import { findRuns, type OutcomeFilter } from '#core/history/find-runs.ts';
import { outcomeWords } from '#core/history/outcome-labels.ts';
import { gatherRuns, type RepeatedRuns } from '#core/history/repeated-runs.ts';
import type { RunRecord } from '#core/history/run-record.ts';

export type HistoryChoice =
  | { readonly kind: 'open' | 'run' | 'compare' | 'compareRows'; readonly run: RunRecord }
  | { readonly kind: 'forget'; readonly run: RunRecord; readonly runs: readonly RunRecord[] };

interface RunItem extends vscode.QuickPickItem {
  readonly run: RunRecord;
  readonly repeated: Omit<RepeatedRuns, 'newest'>;
}

const icons: Readonly<Record<RunRecord['outcome'], string>> = {
  rows: 'pass',
  failed: 'error',
  cancelled: 'circle-slash',
};
const outcomes: readonly OutcomeFilter[] = ['all', 'rows', 'failed', 'cancelled'];
/** Maximum number of rows to draw; the user can search for others. */
const shownMax = 300;

/** Returns the user's choice, or undefined if the user cancels. */
export async function pickRun(
  runs: readonly RunRecord[],
  options: { readonly title: string; readonly isChoosing?: boolean },
): Promise<HistoryChoice | undefined> {
  const picker = createQuickPick<RunItem>();
  const meant = followMeant(picker);
  const button = (icon: string, tooltip: string): vscode.QuickInputButton => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  });
  const again = button('debug-rerun', vscode.l10n.t('Run Again with the Same Text and Values'));
  const compare = button('diff', vscode.l10n.t('Compare with Another Run...'));
  const rows = button('table', vscode.l10n.t('Run Again and Compare with the Current Result'));
  const forget = button('trash', vscode.l10n.t('Remove from the History'));
  const filter = button('filter', vscode.l10n.t('Show by Outcome: All, Rows, Failed, Cancelled'));
  const each = button('unfold', vscode.l10n.t('Show Each Run'));
  let outcome: OutcomeFilter = 'all';
  /** Keys of repeated runs that are listed one by one. */
  const listed = new Set<string>();
  const linesOf = ({ key, newest, runs: same }: RepeatedRuns) =>
    listed.has(key)
      ? same.map((run) => ({ run, repeated: { key, runs: [run] as const } }))
      : [{ run: newest, repeated: { key, runs: same } }];
  const fill = () => {
    const found = findRuns(runs, { text: picker.value, outcome }, new Date());
    picker.title = outcome === 'all' ? options.title : `${options.title}: ${outcomeNames()[outcome]}`;
    const lines = gatherRuns(found).flatMap(linesOf).slice(0, shownMax);
    picker.items = lines.map(({ run, repeated }) => ({
      label: titleOf(run),
      iconPath: new vscode.ThemeIcon(icons[run.outcome]),
      description: [
        exactMomentText(run.startedAt),
        outcomeWords(run),
        placeOf(run),
        ...(repeated.runs.length > 1 ? [vscode.l10n.t('{0} runs', repeated.runs.length)] : []),
      ].join(' · '),
      detail: run.sql.replace(/\s+/g, ' ').slice(0, 200),
      // The search covers the whole text, but only its beginning is shown.
      alwaysShow: true,
      buttons: [
        ...(repeated.runs.length > 1 ? [each] : []),
        ...(options.isChoosing === true ? [] : [again, compare, rows, forget]),
      ],
      run,
      repeated,
    }));
  };
  return await answerTo<HistoryChoice>(picker, (resolve) => {
    picker.placeholder = vscode.l10n.t(
      'Words from the query, its name, connection, values or outcome; 2026-01, today, since:2026-01-01',
    );
    picker.buttons = [filter];
    fill();
    picker.onDidChangeValue(fill);
    picker.onDidTriggerButton(() => {
      outcome = outcomes[(outcomes.indexOf(outcome) + 1) % outcomes.length] ?? 'all';
      fill();
    });
    const choose = (choice: HistoryChoice) => {
      resolve(choice);
      picker.hide();
    };
    picker.onDidTriggerItemButton(({ item: { run, repeated }, button: pressed }) => {
      if (pressed === each) {
        listed.add(repeated.key);
        fill();
        return;
      }
      const kinds = new Map([
        [again, 'run'],
        [compare, 'compare'],
        [rows, 'compareRows'],
      ] as const);
      const kind = kinds.get(pressed);
      choose(kind === undefined ? { kind: 'forget', run, runs: repeated.runs } : { kind, run });
    });
    picker.onDidAccept(() => {
      const chosen = meant();
      if (chosen !== undefined) choose({ kind: 'open', run: chosen.run });
    });
  });
}

function outcomeNames(): Readonly<Record<RunRecord['outcome'], string>> {
  return {
    rows: vscode.l10n.t('rows'),
    failed: vscode.l10n.t('failed'),
    cancelled: vscode.l10n.t('cancelled'),
  };
}

/** Returns where the query ran, and whose text it was if that is another connection's. */
function placeOf({ connection, savedQuery }: RunRecord): string {
  return savedQuery?.connection === undefined
    ? connection
    : vscode.l10n.t('{0}, text of {1}', connection, savedQuery.connection);
}

function titleOf(run: RunRecord): string {
  const version = run.savedQuery === undefined ? '' : ` v${run.savedQuery.version}`;
  return `${run.title}${version}${run.part === undefined ? '' : ` · ${run.part}`}`;
}
