/** Prompts for value sets: one to run with, or several to run with in turn. */
import * as vscode from 'vscode';
import { answerTo } from '#client/ui/answer-to.ts';
import { createQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { MemoryKey, ParameterMemory, RememberedValue, ValueSet } from '#core/parameters/memory.ts';

interface SetItem extends vscode.QuickPickItem {
  readonly set: ValueSet;
}

/** Returns the checked value sets, or the focused one if none are checked; undefined if the user cancels. */
export async function pickValueSets(
  memory: ParameterMemory,
  key: MemoryKey,
): Promise<readonly ValueSet[] | undefined> {
  const picker = createQuickPick<SetItem>();
  const trash: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete This Value Set'),
  };
  const fill = () => {
    picker.items = memory.sets(key).map((set) => ({
      label: set.name,
      detail: Object.entries(set.values).map(describeValue).join(', '),
      buttons: [trash],
      set,
    }));
  };
  return await answerTo<readonly ValueSet[]>(picker, (resolve) => {
    picker.title = vscode.l10n.t('Run with Value Sets');
    picker.placeholder = vscode.l10n.t('Select several to run each in its own tab');
    picker.canSelectMany = true;
    picker.matchOnDetail = true;
    fill();
    picker.onDidTriggerItemButton(({ item }) => {
      const remaining = async () => {
        await memory.deleteSet(key, item.set.name);
        fill();
        if (memory.sets(key).length === 0) picker.hide();
      };
      void remaining();
    });
    picker.onDidAccept(() => {
      const chosen = picker.selectedItems.length > 0 ? picker.selectedItems : picker.activeItems;
      resolve(chosen.map((item) => item.set));
      picker.hide();
    });
  });
}

const shownChars = 40;

function describeValue([name, { text, isNull, isEmpty }]: readonly [string, RememberedValue]): string {
  const oneLine = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(', ');
  const value = isNull
    ? 'NULL'
    : isEmpty === true
      ? vscode.l10n.t('(empty)')
      : oneLine.length > shownChars
        ? `${oneLine.slice(0, shownChars)}…`
        : oneLine;
  return `${name} = ${value}`;
}
