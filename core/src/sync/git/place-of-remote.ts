/**
 * Returns where a remote is, the same for each way of writing its address, and without who signs in: the address in a
 * job of CI has a token, another one each time. The result of a place is the place itself.
 */
export function placeOfRemote(address: string): string {
  const [, bracketed, plain = bracketed, below] = shortForm.exec(address) ?? [];
  if (plain !== undefined && below !== undefined) {
    // Written as in a URL, so that the result of a place is the place itself.
    const path = below.replace(/^\/+/, '').replaceAll('?', '%3F').replaceAll('#', '%23');
    // Without brackets of its own, an address of IPv6 has more than one colon.
    const host = plain.replace(/^[^@]*@/, '').replace(/^[^[]*:.*:.*$/, '[$&]');
    return placeOf('ssh:', withoutUsualPort('ssh:', host), URL.parse(`ssh://host/${path}`)?.pathname ?? path);
  }
  const url = address.includes('://') ? URL.parse(address) : null;
  if (url === null || url.host === '') return withoutEnding(address);
  const protocol = /^(?:git\+ssh|ssh\+git):$/.test(url.protocol) ? 'ssh:' : url.protocol;
  return placeOf(protocol, withoutUsualPort(protocol, url.host), url.pathname);
}

/** `user@host:path`, where a port needs brackets: `[user@host:2222]:path`. Two colons name a transport of Git's. */
const shortForm =
  /^(?:[^@/\\[\]]+@)?(?:\[((?:[^[\]/\\@]+@)?(?:\[[^[\]/\\]+\])?[^[\]/\\]*)\]|([^:/\\[\]]{2,})):(?!\/\/|:)(.+)$/;

/** What each way of writing leaves out is the usual port; a URL knows that of the web. */
function withoutUsualPort(protocol: string, host: string): string {
  const usual = protocol === 'ssh:' ? '22' : protocol === 'git:' ? '9418' : undefined;
  const [, name, digits] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(host) ?? [];
  if (name === undefined || digits === undefined) return host;
  const port = digits.replace(/^0+/, '');
  return port === usual ? name : `${name}:${port}`;
}

/**
 * Returns whether two places are one repository, as far as they tell: a service answers at several ports, one for SSH and
 * one for the web, but two ports of one kind are two services.
 */
export function isSamePlace(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.name !== b.name) return false;
  return a.kind === undefined || b.kind === undefined || a.kind !== b.kind || a.port === b.port;
}

function partsOf(place: string): { readonly name: string; readonly kind?: string; readonly port?: string } {
  const [, protocol = '', host = '', port = '', below = ''] =
    /^(https?|ssh|git):\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?\/(.*)$/s.exec(place) ?? [];
  // Earlier versions kept only the name.
  if (protocol === '') return { name: place };
  return { name: `${host}/${below}`, kind: protocol.startsWith('http') ? 'web' : protocol, port };
}

function placeOf(protocol: string, host: string, below: string): string {
  const path = below.replace(/^\/+/, '').replace(/\/{2,}/g, '/');
  return `${protocol}//${host.toLowerCase()}/${withoutEnding(path)}`;
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
