/** Describes a plan with one line per query, and the options for decisions. The caller escapes names. */
import { t } from '#base/texts.ts';
import { shown } from '../folder/read-folder.ts';
import { sayIndexProblem, sayTextProblem } from '../format/problem-messages.ts';
import { nameOf, type Member, type PlanItem, type Refusal } from './plan.ts';

export interface ItemWords {
  /** `+ ~ -` for pushed changes, `<` for pulled ones, `!` for decisions. */
  readonly mark: '+' | '~' | '-' | '<' | '!';
  readonly text: string;
  /** The suggested action. */
  readonly advice?: string;
  /** The matching command line option. */
  readonly option?: string;
}

export function sayItem(item: PlanItem): ItemWords {
  const name = nameOf(item);
  switch (item.kind) {
    case 'create':
      return { mark: '+', text: t('{0}: new here', name) };
    case 'update': {
      if (item.isReplacing)
        return { mark: '~', text: t('{0}: replaces version {1} of the service', name, item.there.version) };
      return { mark: '~', text: t('{0}: changed here ({1})', described(item), sayMembers(item.changed)) };
    }
    case 'delete':
      return { mark: '-', text: t('{0}: deleted on the service', name) };
    case 'changedThere':
      return {
        mark: '<',
        text: t('{0}: changed on the service ({1})', name, sayMembers(item.changed)),
        advice: t('Pull to get it.'),
      };
    case 'newThere':
      return { mark: '<', text: t('{0}: new on the service', name), advice: t('Pull to get it.') };
    case 'linked':
      return {
        mark: '<',
        text: t('{0}: the same on both sides, not linked yet', name),
        advice: t('Pull to record its ID.'),
      };
    case 'merge':
      return {
        mark: '<',
        text: t('{0}: changed on both sides, in different lines', name),
        advice: t('Pull to merge, commit, then push.'),
      };
    case 'remove':
      return { mark: '<', text: t('{0}: deleted on the service, removed here', name) };
    default:
      return sayDecision(item);
  }
}

type Decision = Extract<PlanItem, { kind: 'conflict' | 'deletedThere' | 'deletedHere' | 'refused' }>;

function sayDecision(item: Decision): ItemWords {
  const name = nameOf(item);
  switch (item.kind) {
    case 'conflict':
      return {
        mark: '!',
        text: t('{0}: conflict, both sides changed the same {1}', name, sayMembers(item.members)),
        advice: t(
          "Pull and resolve it in the file, if you haven't yet. Commit, then push it over version {0}.",
          item.there.version,
        ),
        option: option('replace', `${name}@${item.there.version}`),
      };
    case 'deletedThere':
      return {
        mark: '!',
        text: item.isChangedHere
          ? t('{0}: deleted on the service, changed here', name)
          : t('{0}: deleted on the service', name),
        advice: t('Remove the file with pull --delete, or create the query again with push --restore.'),
        option: option('restore', name),
      };
    case 'deletedHere': {
      const version = item.isChangedThere ? `@${item.there.version}` : '';
      return {
        mark: '!',
        text: item.isChangedThere
          ? t('{0}: deleted here, changed on the service', name)
          : t('{0}: deleted here', name),
        advice: t('Delete it on the service with push --delete, or get the file back with pull --restore.'),
        option: option('delete', `${name}${version}`),
      };
    }
    case 'refused':
      return { mark: '!', ...sayRefusal(name, item.reason, item.there?.draft.name) };
    default:
      return item satisfies never;
  }
}

function sayRefusal(name: string, reason: Refusal, nameThere?: string): Omit<ItemWords, 'mark'> {
  switch (reason.kind) {
    case 'markers':
      return {
        text: t('{0}: conflict markers are left in the file', name),
        advice: t('Resolve the conflict, then commit.'),
      };
    case 'text':
      return {
        text: t('{0}: its text cannot be sent: {1}', name, sayTextProblem(reason.problem)),
        advice: t('Correct the file.'),
      };
    case 'entry':
      return {
        text: t('{0}: left out', name),
        advice: sayIndexProblem(reason.problem, shown(reason.source)),
      };
    case 'nameTaken':
      return {
        text: t('{0}: another query of the service has this name', name),
        advice: t('Rename one of them.'),
      };
    case 'sameText':
      return {
        text: t('{0}: the service has the same text as "{1}"', name, reason.name),
        advice: t('Pull first. If both are the same query, remove this file.'),
      };
    case 'namesInRing':
      return {
        text: t('{0}: queries swap names', name),
        advice: t('Push one of them under another name first.'),
      };
    case 'outside':
      return nameThere === undefined || nameThere === name
        ? {
            text: t('{0}: outside of "{1}", which is all that this folder owns', name, reason.under),
            advice: t('Give it a name that begins with "{0}", or remove its files.', reason.under),
          }
        : {
            text: t(
              '{0}: on the service, it is "{1}", and this folder owns "{2}"',
              name,
              nameThere,
              reason.under,
            ),
            advice: t('Give it the same name on both sides, or remove its files here.'),
          };
    case 'otherVersion':
      return {
        text: t('{0}: the service is at version {1}', name, reason.version),
        advice: t('Review that version, then specify it.'),
      };
    default:
      return reason satisfies never;
  }
}

/** Adds the service's name for the query if it is different. */
function described(item: Extract<PlanItem, { kind: 'update' }>): string {
  const [here, there] = [item.here.draft.name, item.there.draft.name];
  return here === there ? here : t('{0} (was {1})', here, there);
}

function sayMembers(members: readonly Member[]): string {
  return members.map(sayMember).join(', ');
}

function sayMember(member: Member): string {
  return {
    query_string: t('text'),
    name: t('name'),
    model: t('model'),
    description: t('description'),
  }[member];
}

/** Formats an option for a shell. Double quotes suffice for names without special characters. */
function option(kind: 'replace' | 'delete' | 'restore', value: string): string {
  const isPlain = /^[\p{L}\p{N}@._/ -]+$/u.test(value);
  return `--${kind} ${isPlain ? `"${value}"` : `'${value.replaceAll("'", String.raw`'\''`)}'`}`;
}
