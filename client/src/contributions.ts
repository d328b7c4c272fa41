/**
 * All contributions to the editor, and their IDs for use in code. Each feature declares its own in `contributions.ts`;
 * after a change, run `npm run manifest` to regenerate package.json, package.nls.json and docs/settings.md.
 */
import { idsOf, namesOf, type Contributions } from './contribution-types.ts';
import * as activity from './features/activity/contributions.ts';
import * as agents from './features/agents/contributions.ts';
import * as changes from './features/changes/contributions.ts';
import * as clearData from './features/clear-data/contributions.ts';
import * as comparisons from './features/comparisons/contributions.ts';
import * as connection from './features/connection/contributions.ts';
import * as controls from './features/controls/contributions.ts';
import * as documents from './features/documents/contributions.ts';
import * as evidence from './features/evidence/contributions.ts';
import * as exports from './features/exports/contributions.ts';
import * as history from './features/history/contributions.ts';
import * as language from './features/language/contributions.ts';
import * as library from './features/library/contributions.ts';
import * as models from './features/models/contributions.ts';
import * as openById from './features/open-by-id/contributions.ts';
import * as ownData from './features/own-data/contributions.ts';
import * as records from './features/records/contributions.ts';
import * as results from './features/results/contributions.ts';
import * as runs from './features/runs/contributions.ts';
import * as sandbox from './features/sandbox/contributions.ts';
import * as savedQueries from './features/saved-queries/contributions.ts';
import * as sourceControl from './features/source-control/contributions.ts';
import * as product from './product.ts';

/** Ordered as in package.json. */
export const contributions: readonly Contributions[] = [
  product,
  connection,
  sandbox,
  ownData,
  savedQueries,
  openById,
  sourceControl,
  library,
  models,
  records,
  activity,
  exports,
  changes,
  documents,
  language,
  runs,
  results,
  comparisons,
  controls,
  evidence,
  history,
  clearData,
  agents,
];

export const commands = {
  ...idsOf(product.commands),
  ...idsOf(connection.commands),
  ...idsOf(sandbox.commands),
  ...idsOf(ownData.commands),
  ...idsOf(savedQueries.commands),
  ...idsOf(openById.commands),
  ...idsOf(sourceControl.commands),
  ...idsOf(library.commands),
  ...idsOf(models.commands),
  ...idsOf(records.commands),
  ...idsOf(activity.commands),
  ...idsOf(exports.commands),
  ...idsOf(changes.commands),
  ...idsOf(documents.commands),
  ...idsOf(language.commands),
  ...idsOf(runs.commands),
  ...idsOf(results.commands),
  ...idsOf(comparisons.commands),
  ...idsOf(controls.commands),
  ...idsOf(evidence.commands),
  ...idsOf(history.commands),
  ...idsOf(clearData.commands),
  ...idsOf(agents.commands),
};

export type CommandId = (typeof commands)[keyof typeof commands];

export const views = {
  ...idsOf(savedQueries.views),
  ...idsOf(models.views),
  ...idsOf(records.views),
  ...idsOf(activity.views),
  ...idsOf(results.views),
};

/** Context keys for `when` clauses in package.json. */
export const contextKeys = {
  ...product.contextKeys,
  ...connection.contextKeys,
  ...sandbox.contextKeys,
  ...ownData.contextKeys,
  ...savedQueries.contextKeys,
  ...sourceControl.contextKeys,
  ...models.contextKeys,
  ...records.contextKeys,
  ...changes.contextKeys,
  ...exports.contextKeys,
  ...runs.contextKeys,
  ...results.contextKeys,
  ...comparisons.contextKeys,
  ...controls.contextKeys,
};

/** Prefix of the extension's settings. Types and defaults are in session/connection-settings.ts. */
export const settingsSection = 'identityQueries';
export const settings = {
  ...namesOf(connection.settings),
  ...namesOf(savedQueries.settings),
  ...namesOf(models.settings),
  ...namesOf(language.settings),
  ...namesOf(runs.settings),
  ...namesOf(results.settings),
  ...namesOf(controls.settings),
  ...namesOf(history.settings),
  ...namesOf(agents.settings),
};
