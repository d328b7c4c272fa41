/** Changes are applied later by the source application: each change returns a job, whose record reports the outcome. */
import { Type, type Static } from 'typebox';
import { DateTime, OpenEnum, Text } from './records/shared.ts';

export const JobAcceptance = Type.Object(
  {
    jobId: Type.String({ description: 'ID of the job, a UUID.' }),
    self: Type.String({ description: 'Relative path of the job.' }),
  },
  { description: 'The change was accepted and is being applied.' },
);
export type JobAcceptance = Static<typeof JobAcceptance>;

const jobStatuses = ['accepted', 'running', 'completed', 'failed'] as const;
const targetOutcomes = ['pending', 'changed', 'unchanged', 'not_possible'] as const;

/** The specification does not show a job's record (assumption `action-job`). */
export const ActionJob = Type.Object(
  {
    jobId: Type.String({ description: 'ID of the job, a UUID.' }),
    status: OpenEnum(jobStatuses, 'State of the job.'),
    operation: Text('The requested operation, for example accounts.disable.'),
    targets: Type.Array(
      Type.Object({
        globalId: Text('Global ID of the target of the change.'),
        outcome: OpenEnum(targetOutcomes, 'Outcome for this target.'),
        reason: Type.Optional(
          Type.Object(
            { code: Type.String(), message: Type.String() },
            { description: 'Reason why the target was not changed.' },
          ),
        ),
        reflected: Type.Boolean({ description: "Whether the service's data already shows the change." }),
      }),
    ),
    createdAt: DateTime('Time at which the change was accepted.'),
    completedAt: Type.Optional(DateTime('Time at which the job ended.')),
  },
  { description: 'A change and its outcome for every target.' },
);
export type ActionJob = Static<typeof ActionJob>;
