/** Labels and descriptions of changes, states and outcomes. */
import * as vscode from 'vscode';
import { clockText } from '#base/words/moment-text.ts';
import { locale } from '#client/ui/locale.ts';
import type {
  ChangeState,
  Confirmation,
  OddResponse,
  OperationKind,
  TargetOutcome,
} from '#core/changes/change.ts';

export interface OperationWords {
  /** Title of the command, also shown in the view. */
  readonly title: string;
  /** Label of the confirm button. */
  readonly button: (count: number) => string;
  /** The effect in one sentence that fits a list, from the specification. */
  readonly effect: string;
  /** What else changes, or does not. */
  readonly more?: string;
}

export function operationWords(kind: OperationKind): OperationWords {
  const words: Readonly<Record<OperationKind, OperationWords>> = {
    'disable-account': {
      title: vscode.l10n.t('Disable Account'),
      button: (count) =>
        count === 1 ? vscode.l10n.t('Disable Account') : vscode.l10n.t('Disable {0} Accounts', count),
      effect: vscode.l10n.t("Prevents sign-in to the account's application."),
      more: vscode.l10n.t('The account and its assignments remain.'),
    },
    'remove-account-access': {
      title: vscode.l10n.t("Remove Account's Access to Application"),
      button: (count) =>
        count === 1 ? vscode.l10n.t('Remove Access') : vscode.l10n.t('Remove Access of {0} Accounts', count),
      effect: vscode.l10n.t("Removes the account's own entitlement to the application."),
      more: vscode.l10n.t(
        'Access through a group remains. To remove that too, remove the account from the group.',
      ),
    },
    'remove-group-access': {
      title: vscode.l10n.t("Remove Group's Access to Application"),
      button: (count) =>
        count === 1 ? vscode.l10n.t('Remove Access') : vscode.l10n.t('Remove Access of {0} Groups', count),
      effect: vscode.l10n.t("Removes the group's entitlement to the application."),
      more: vscode.l10n.t('All members lose the access that they have through the group.'),
    },
    'add-member': {
      title: vscode.l10n.t('Add Account to Group'),
      button: (count) =>
        count === 1 ? vscode.l10n.t('Add to Group') : vscode.l10n.t('Add {0} Accounts to Group', count),
      effect: vscode.l10n.t('Makes the account a member of the group, with all access that the group has.'),
    },
    'remove-member': {
      title: vscode.l10n.t('Remove Account from Group'),
      button: (count) =>
        count === 1
          ? vscode.l10n.t('Remove from Group')
          : vscode.l10n.t('Remove {0} Accounts from Group', count),
      effect: vscode.l10n.t('Ends the membership and the access through the group.'),
    },
  };
  return words[kind];
}

export interface StateWords {
  readonly text: string;
  /** ID of a codicon, and its theme color. */
  readonly icon: string;
  readonly colour?: string;
}

const doneColour = 'testing.iconPassed';

export function stateWords(state: ChangeState): StateWords {
  switch (state.kind) {
    case 'waiting':
      return state.until === undefined
        ? { text: vscode.l10n.t('Waiting to be sent'), icon: 'clock' }
        : {
            text: vscode.l10n.t('The service limits requests; retrying at {0}', clockText(state.until)),
            icon: 'watch',
          };
    case 'sending':
      return { text: vscode.l10n.t('Being sent'), icon: 'sync~spin' };
    case 'not-sent':
      return { text: vscode.l10n.t('Not sent: {0}', state.reason), icon: 'circle-slash' };
    case 'refused':
      return { text: vscode.l10n.t('Refused: {0}', state.reason), icon: 'error', colour: 'errorForeground' };
    case 'unanswered':
      return { text: unansweredWords(state), icon: 'question', colour: 'editorWarning.foreground' };
    case 'accepted':
      return state.job === undefined
        ? { text: vscode.l10n.t('Accepted; following its job'), icon: 'sync~spin' }
        : { text: vscode.l10n.t('Job is {0}', state.job.status), icon: 'sync~spin' };
    case 'ended':
      return endedWords(state);
    case 'found-changed':
      return {
        text: vscode.l10n.t('{0}, but the record shows the change', responseWords(state)),
        icon: 'pass',
        colour: doneColour,
      };
    case 'found-unchanged':
      return {
        text: vscode.l10n.t('{0}, and the record does not show the change. Check again before you repeat it.', responseWords(state)),
        icon: 'warning',
        colour: 'editorWarning.foreground',
      };
    case 'unknown':
      return {
        text: vscode.l10n.t('{0}; the outcome is unknown: {1}', responseWords(state), state.reason),
        icon: 'warning',
        colour: 'editorWarning.foreground',
      };
    default:
      return state satisfies never;
  }
} // oxfmt-ignore

/** Whether a state is shown as a warning or an error: what was asked for may not have been done. */
export function isAttentionDue(state: ChangeState): boolean {
  const { colour } = stateWords(state);
  return colour !== undefined && colour !== doneColour;
}

function unansweredWords(state: Extract<ChangeState, { kind: 'unanswered' }>): string {
  const { found } = state;
  const came = responseWords(state);
  if (found === undefined) return vscode.l10n.t('{0}; reading the record to see the outcome', came);
  return found.kind === 'unchanged'
    ? vscode.l10n.t('{0}; the record does not show the change yet ({1})', came, clockText(found.at))
    : vscode.l10n.t('{0}; the record is read as soon as the service is available', came);
}

/** Returns what came back instead of an outcome. */
function responseWords({ response }: { readonly response?: OddResponse | undefined }): string {
  if (response === undefined) return vscode.l10n.t('No response');
  if (response === 'part') return vscode.l10n.t('Only a part of the response arrived');
  return response < 400
    ? vscode.l10n.t('The response ({0}) names no outcome', response)
    : vscode.l10n.t('The response was error {0}', response);
}

function endedWords({ job, problem }: Extract<ChangeState, { kind: 'ended' }>): StateWords {
  const warning = { icon: 'warning', colour: 'editorWarning.foreground' };
  if (problem !== undefined) return { text: vscode.l10n.t("Accepted; the job can't be followed: {0}", problem), ...warning };
  const outcomes = job?.targets ?? [];
  if (job === undefined || outcomes.length === 0) {
    const text = vscode.l10n.t('Job ended: {0}', job?.status ?? '?');
    return /^(?:completed?|succeeded|success|done|finished)$/i.test(job?.status ?? '') ? { text, icon: 'info' } : { text, ...warning };
  }
  const isGood = outcomes.every(({ outcome }) => outcome === 'changed' || outcome === 'unchanged');
  const text = outcomes.map(outcomeWords).join('; ');
  return isGood ? { text, icon: 'pass', colour: doneColour } : { text, icon: 'error', colour: 'errorForeground' };
} // oxfmt-ignore

function outcomeWords({ outcome, reason, reflected }: TargetOutcome): string {
  const known = new Map(
    Object.entries({
      pending: vscode.l10n.t('pending'),
      changed: vscode.l10n.t('changed'),
      unchanged: vscode.l10n.t('already done'),
      not_possible: vscode.l10n.t("can't be changed"),
    }),
  );
  const shown =
    reflected === true
      ? vscode.l10n.t('visible in the data')
      : reflected === false && outcome === 'changed'
        ? vscode.l10n.t('not yet visible in the data')
        : undefined;
  const parts = [known.get(outcome) ?? outcome, reason, shown].filter((part) => part !== undefined);
  return parts.join(', ');
}

/** Returns the final notification for a confirmation, such as: Account disabled: jonas.meyer. */
export function endWords(confirmation: Confirmation): string {
  const { title, summary } = rowWordsOf(confirmation);
  const [only, ...more] = confirmation.targets;
  if (areChanged(confirmation)) return summary === undefined ? title : `${title}: ${summary}`;
  const place = `${title} (${placeOf(confirmation)})`;
  return only === undefined || more.length > 0
    ? `${place}: ${summary ?? ''}`
    : `${place}: ${only.label}. ${stateWords(only.state).text}`;
}

/** Returns the connection of a confirmation, and its environment if it has one. */
export function placeOf({ connection, environment }: Confirmation): string {
  return environment === undefined ? connection : `${connection}, ${environment}`;
}

const areChanged = ({ targets }: Confirmation): boolean =>
  targets.every(({ state }) => shortWord(state) === vscode.l10n.t('changed'));

/** Returns the words of a confirmation's row: the effect and the target if all succeeded, otherwise a summary. */
export function rowWordsOf(confirmation: Confirmation): {
  readonly title: string;
  readonly summary?: string;
} {
  const { kind, targets } = confirmation;
  const [only, ...more] = targets;
  if (!areChanged(confirmation)) {
    const summary = summaryOf(confirmation);
    const isOne = only !== undefined && more.length === 0;
    return { title: operationWords(kind).title, summary: isOne ? `${only.label}: ${summary}` : summary };
  }
  const title = doneWords(kind, targets.length);
  return only === undefined || more.length > 0 ? { title } : { title, summary: only.label };
}

function doneWords(kind: OperationKind, count: number): string {
  const isOne = count === 1;
  const number = count.toLocaleString(locale());
  return {
    'disable-account': isOne ? vscode.l10n.t('Account disabled') : vscode.l10n.t('{0} accounts disabled', number),
    'remove-account-access': isOne ? vscode.l10n.t('Access of account removed') : vscode.l10n.t('Access of {0} accounts removed', number),
    'remove-group-access': isOne ? vscode.l10n.t('Access of group removed') : vscode.l10n.t('Access of {0} groups removed', number),
    'add-member': isOne ? vscode.l10n.t('Account added to group') : vscode.l10n.t('{0} accounts added to groups', number),
    'remove-member': isOne ? vscode.l10n.t('Account removed from group') : vscode.l10n.t('{0} accounts removed from groups', number),
  }[kind];
} // oxfmt-ignore

/** Returns a short summary of a confirmation's state. */
export function summaryOf({ targets }: Confirmation): string {
  const counts = new Map<string, number>();
  for (const { state } of targets) {
    const word = shortWord(state);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .map(([word, count]) => (targets.length === 1 ? word : `${count.toLocaleString(locale())} ${word}`))
    .join(', ');
}

function shortResponse(response: OddResponse | undefined): string {
  if (response === undefined) return vscode.l10n.t('no response');
  return response === 'part' || response < 400
    ? vscode.l10n.t('no outcome received')
    : vscode.l10n.t('error {0}', response);
}

function shortWord(state: ChangeState): string {
  switch (state.kind) {
    case 'waiting':
      return state.until === undefined
        ? vscode.l10n.t('waiting')
        : vscode.l10n.t('waiting until {0}', clockText(state.until));
    case 'sending':
    case 'accepted':
      return vscode.l10n.t('running');
    case 'unanswered':
      return shortResponse(state.response);
    case 'not-sent':
      return vscode.l10n.t('not sent');
    case 'refused':
      return vscode.l10n.t('refused');
    case 'found-changed':
      return vscode.l10n.t('changed');
    case 'found-unchanged':
      return vscode.l10n.t('not shown by the record');
    case 'unknown':
      return vscode.l10n.t('not known');
    case 'ended': {
      const outcomes = state.job?.targets ?? [];
      if (state.problem !== undefined || outcomes.length === 0) return vscode.l10n.t('ended');
      if (outcomes.some(({ outcome }) => outcome === 'not_possible')) return vscode.l10n.t('not possible');
      // Unknown outcomes never count as done.
      const other = outcomes.find(({ outcome }) => outcome !== 'changed' && outcome !== 'unchanged');
      if (other !== undefined) return outcomeWords({ globalId: other.globalId, outcome: other.outcome });
      return outcomes.every(({ outcome }) => outcome === 'unchanged')
        ? vscode.l10n.t('already done')
        : vscode.l10n.t('changed');
    }
    default:
      return state satisfies never;
  }
}
