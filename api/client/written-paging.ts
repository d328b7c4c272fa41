/**
 * How a service pages results, as a person writes it into a connection (`execute.paging`) and as it is kept between
 * runs: `{ "size", "token", "next", "last" }`, or `{ "all": true }` where every response has all rows.
 */
import { isObject } from '#base/values/is-object.ts';
import type { ExecutePaging } from './execute-paging.ts';
import { isFreeMember } from './page-members.ts';

export type WrittenPaging =
  | {
      readonly size: string;
      readonly token: string;
      /** Members from the top, separated by dots. */
      readonly next: string;
      /** `no-token`, `empty-page`, or a member that tells the last page, with its value: `has_more=false`. */
      readonly last?: string;
    }
  | {
      readonly all: true;
      readonly size?: string;
      /** The number of rows up to which that was seen. */
      readonly upTo?: number;
    };

/** Returns undefined for what was not learned, and for names that cannot be written. */
export function writtenPaging(paging: ExecutePaging): WrittenPaging | undefined {
  const { size } = paging;
  if (paging.kind === 'unknown') return undefined;
  if (paging.kind === 'whole') {
    const { upTo } = paging;
    return { all: true, ...(size === undefined ? {} : { size }), ...(upTo === undefined ? {} : { upTo }) };
  }
  const { token, next, end } = paging;
  const last = end.kind === 'flag' ? `${end.flag.join('.')}=${end.value}` : end.kind;
  const written = { size: paging.size, token, next: next.join('.'), last };
  // A name with a dot would be read as two; one with a sign of equality is read up to the last sign.
  const names = [...next, ...(end.kind === 'flag' ? end.flag : [])];
  return names.some((name) => name.includes('.')) ? undefined : written;
}

/** Returns undefined if the value is something else. */
export function parseWrittenPaging(value: unknown): ExecutePaging | undefined {
  if (!isObject(value)) return undefined;
  const { all, size, token, next, last = 'no-token', upTo, ...others } = value;
  if (Object.keys(others).length > 0) return undefined;
  if (all !== undefined) {
    const isAll = all === true && token === undefined && next === undefined && value['last'] === undefined;
    const isCount = typeof upTo === 'number' && Number.isSafeInteger(upTo) && upTo > 0;
    if (!isAll || (size !== undefined && !isName(size)) || (upTo !== undefined && !isCount)) return undefined;
    return { kind: 'whole', size, ...(isCount ? { upTo } : {}) };
  }
  if (upTo !== undefined) return undefined;
  const path = pathOf(next);
  const end = endOf(last);
  if (!isName(size) || !isName(token) || size === token || path === undefined || end === undefined)
    return undefined;
  return { kind: 'pages', size, token, next: path, end };
}

function endOf(last: unknown): Extract<ExecutePaging, { kind: 'pages' }>['end'] | undefined {
  if (last === 'no-token' || last === 'empty-page') return { kind: last };
  const [, member, value] = typeof last === 'string' ? (/^(.+)=(true|false)$/.exec(last) ?? []) : [];
  const flag = pathOf(member);
  return flag === undefined ? undefined : { kind: 'flag', flag, value: value === 'true' };
}

function pathOf(text: unknown): readonly string[] | undefined {
  if (typeof text !== 'string' || text.length > nameMax) return undefined;
  const path = text.split('.');
  return path.every((name) => name !== '') ? path : undefined;
}

const nameMax = 200;

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= nameMax && isFreeMember(name);
}
