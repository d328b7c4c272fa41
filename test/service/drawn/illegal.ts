/** Answers that no service of the specification gives: half of one, other types, other statuses. */
import type { Reply } from '../exchange.ts';
import { jsonReply, pageReply } from './answers.ts';

type Spoil = (reply: Reply) => Reply | 'half';

const body = (reply: Reply): Readonly<Record<string, unknown>> =>
  JSON.parse(reply.bytes.toString()) as Readonly<Record<string, unknown>>; // answers of the drawn service are objects

const everyMember =
  (change: (value: unknown) => unknown): Spoil =>
  (reply) =>
    jsonReply(
      reply.status,
      Object.fromEntries(Object.entries(body(reply)).map(([name, value]) => [name, change(value)])),
    );

export const illegal = {
  'half of the bytes': () => 'half',
  'half of the JSON': (reply) => ({ ...reply, bytes: reply.bytes.subarray(0, reply.bytes.length / 2) }),
  'no body': (reply) => ({ ...reply, bytes: Buffer.alloc(0) }),
  null: (reply) => jsonReply(reply.status, null),
  'an empty list': (reply) => jsonReply(reply.status, []),
  'an empty object': (reply) => jsonReply(reply.status, {}),
  'a text': (reply) => jsonReply(reply.status, 'fine'),
  'a page': (reply) => pageReply(reply.status),
  'numbers everywhere': everyMember(() => 7),
  'lists of numbers': everyMember((value) => (Array.isArray(value) ? [7, 8] : value)),
  'objects for lists': everyMember((value) => (Array.isArray(value) ? { a: 1 } : value)),
  'status 202': (reply) => ({ ...reply, status: 202 }),
  'status 204': (reply) => ({ ...reply, status: 204, bytes: Buffer.alloc(0) }),
  'status 206': (reply) => ({ ...reply, status: 206 }),
  'status 304': (reply) => ({ ...reply, status: 304, bytes: Buffer.alloc(0) }),
  'status 418': (reply) => ({ ...reply, status: 418 }),
  'status 599': (reply) => ({ ...reply, status: 599 }),
} as const satisfies Readonly<Record<string, Spoil>>;

export type Illegal = keyof typeof illegal;
