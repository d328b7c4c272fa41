/** Names of a request's members that can be about its page. Apart, so that a starting window reads no more than this. */

/** Members of a request that say what is run: a service that names one of them gets no token there. */
const taken: ReadonlySet<string> = new Set(['query_string', 'model', 'parameters']);

/** Whether a member of a request can be about its page. */
export function isFreeMember(name: string): boolean {
  return !taken.has(name);
}
