/** Stores the reviewed changes of a plan in a file, so that a push sends exactly those changes or nothing. */
import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { repeatedMember } from '#base/json-places.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import { isWrite, type Choices, type Plan } from './plan.ts';

const Write = Type.Object(
  {
    kind: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')]),
    name: Type.String(),
    id: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    /** SHA-256 of the content to send. */
    digest: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const PlanFile = Type.Object(
  {
    format: Type.Literal(1),
    service: Type.String(),
    commit: Type.String(),
    choices: Type.Object(
      {
        deletes: Type.Array(Type.Tuple([Type.String(), Type.Union([Type.Integer(), Type.Null()])])),
        restores: Type.Array(Type.String()),
        replaces: Type.Array(Type.Tuple([Type.String(), Type.Integer()])),
      },
      { additionalProperties: false },
    ),
    writes: Type.Array(Write),
  },
  { additionalProperties: false },
);
export type PlanFile = Static<typeof PlanFile>;

export function planFileOf(
  plan: Plan,
  {
    service,
    commit,
    choices,
  }: { readonly service: string; readonly commit: string; readonly choices: Choices },
): PlanFile {
  const { deletes, restores, replaces } = choices;
  return {
    format: 1,
    service,
    commit,
    choices: {
      deletes: [...deletes].map(([name, version]) => [name, version ?? null]),
      restores: [...restores],
      replaces: [...replaces],
    },
    writes: plan.items.filter(isWrite).map((item) => ({
      kind: item.kind,
      name: item.kind === 'delete' ? item.there.draft.name : item.here.draft.name,
      ...(item.kind === 'create' ? {} : { id: item.there.id, version: item.there.version }),
      ...(item.kind === 'delete' ? {} : { digest: digestOf(item.here.draft) }),
    })),
  };
}

/** @returns undefined if the text is not a plan written by this program. */
export function parsePlanFile(text: string): PlanFile | undefined {
  const value = parsedJson(text);
  return Value.Check(PlanFile, value) && repeatedMember(text) === undefined ? value : undefined;
}

export function choicesOf({ choices }: PlanFile): Choices {
  return {
    deletes: new Map(choices.deletes.map(([name, version]) => [name, version ?? undefined])),
    restores: new Set(choices.restores),
    replaces: new Map(choices.replaces),
  };
}

/** Returns whether two plans send the same changes in the same order. They may be based on different commits. */
export function sendsTheSame(a: PlanFile, b: PlanFile): boolean {
  return a.service === b.service && JSON.stringify(a.writes) === JSON.stringify(b.writes);
}

function digestOf(draft: object): string {
  return createHash('sha256').update(JSON.stringify(draft)).digest('hex');
}
