/**
 * Returns where a remote is, the same for each way of writing its address, and without who signs in: the address in a
 * job of CI has a token, another one each time.
 */
export function placeOfRemote(address: string): string {
  const [, host, below] = /^(?:[^@/\\]+@)?([^:/\\]{2,}):(?!\/\/)(.+)$/.exec(address) ?? [];
  if (host !== undefined && below !== undefined) return placeOf(host, below);
  const url = address.includes('://') ? URL.parse(address) : null;
  if (url === null || url.host === '') return withoutEnding(address);
  return placeOf(url.hostname, url.pathname);
}

/** Services answer for one repository at several ports: SSH has its own. */
function placeOf(host: string, below: string): string {
  return `${host.toLowerCase()}/${withoutEnding(below.replace(/^\/+/, ''))}`;
}

function withoutEnding(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  const cut = address.slice(0, end);
  return ['/.git', '.git'].reduce(
    (rest, ending) => (rest.endsWith(ending) ? rest.slice(0, -ending.length) : rest),
    cut,
  );
}
