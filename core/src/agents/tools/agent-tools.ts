/** All agent tools, in the order in which they are listed. */
import { runControl } from './control-tools.ts';
import { describeTable, listModels } from './model-tools.ts';
import { checkSql, runQuery } from './query-tools.ts';
import { getSavedQuery, listSavedQueries, proposeSavedQuery, runSavedQuery } from './saved-tools.ts';
import type { AgentTool } from './tool.ts';

export const agentTools: readonly AgentTool[] = [
  listModels,
  describeTable,
  checkSql,
  runQuery,
  listSavedQueries,
  getSavedQuery,
  runSavedQuery,
  runControl,
  proposeSavedQuery,
];
