/** Prompts that a user can pick in a client. They suggest how to use the available tools. */
import { Type } from 'typebox';
import { fitText } from '../answers/fit-values.ts';

const argumentMax = 20_000;

export interface AgentPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ReturnType<typeof Type.Object>;
  readonly text: (values: Readonly<Record<string, unknown>>) => string;
}

const valueOf = (values: Readonly<Record<string, unknown>>, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? fitText(value, argumentMax) : '';
};

export const agentPrompts: readonly AgentPrompt[] = [
  {
    name: 'explain_query',
    title: 'Explain this query',
    description: 'Explains step by step what a query asks, and what to watch for in its result.',
    input: Type.Object({ sql: Type.String({ maxLength: argumentMax, description: 'The query.' }) }),
    text: (values) =>
      [
        'Explain this query to an access reviewer who knows little SQL.',
        'Use describe_table for every table it reads, and check_sql for its findings. Do not run it.',
        'Say what one row of its result means, which rows are left out and why, and where NULL, duplicates or a join change the result.',
        'The query:',
        '',
        valueOf(values, 'sql'),
      ].join('\n'),
  },
  {
    name: 'review_access',
    title: 'Review this access',
    description: 'Reviews who has a given access and what stands out, using saved queries first.',
    input: Type.Object({
      access: Type.String({ maxLength: 2_000, description: 'A role, an application, a group, an account.' }),
    }),
    text: (values) =>
      [
        'Review who has this access, and what stands out: accounts that are disabled or unused, access through more than one path, administrators without a second factor.',
        'Look for a saved query first (list_saved_queries), and say which one you ran. Otherwise use list_models, describe_table, check_sql and run_query.',
        'People appear as tokens such as email:1f3a9c2b: the same token is the same value. Refer to accounts by their IDs, and never guess who a person is.',
        'For each finding, say how many rows it is based on, and whether the response was complete or truncated.',
        'Change nothing; propose a query with propose_saved_query if one is worth keeping.',
        'The access:',
        '',
        valueOf(values, 'access'),
      ].join('\n'),
  },
];
