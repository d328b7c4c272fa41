/**
 * Parses Git addresses of packs and restricts their protocols and tags. Only addresses parsed here are passed to Git.
 */

export interface GitAddress {
  readonly url: string;
  readonly tag: string;
}

export type AddressProblem = 'protocol' | 'noTag' | 'tag' | 'address' | 'secret';

const protocols = /^(?:https|ssh|file):\/\//i;
/** `git@host:path`, which Git treats as SSH. No part may look like an option. */
const scpLike = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:[^:\\]/;
const tagShape = /^[A-Za-z0-9][\w./+-]{0,199}$/;

/** @returns undefined if the source is a folder rather than an address. */
export function parseGitAddress(
  source: string,
): { readonly address: GitAddress } | { readonly problem: AddressProblem } | undefined {
  const looksLikeOne = /^[A-Za-z][\w+.-]*:(?:\/\/|:)/.test(source) || scpLike.test(source);
  if (!looksLikeOne) return undefined;
  if (!protocols.test(source) && !scpLike.test(source)) return { problem: 'protocol' };
  if (hasOddCharacters(source)) return { problem: 'address' };
  // The tag follows the path; an @ before the host separates the user name.
  const at = source.lastIndexOf('@');
  const path = source.search(/[^:/]\/(?!\/)/);
  const colon = scpLike.test(source) ? source.indexOf(':') : path;
  if (at < 0 || colon < 0 || at < colon) return { problem: 'noTag' };
  const [url, tag] = [source.slice(0, at), source.slice(at + 1)];
  if (holdsSecret(url)) return { problem: 'secret' };
  if (!hasHost(url)) return { problem: 'address' };
  if (!tagShape.test(tag) || tag.includes('..') || tag.endsWith('.lock') || tag.endsWith('/'))
    return { problem: 'tag' };
  return { address: { url, tag } };
}

/** The name of a host, which looks like no option and is found where Git and curl, which skip slashes, look for it. */
function hasHost(url: string): boolean {
  const [, protocol = '', host = ''] = /^([a-z]+):\/\/(?:[^/@]*@)?([^/]*)/i.exec(url) ?? [];
  return protocol === '' || protocol.toLowerCase() === 'file' || /^[\p{L}\p{N}[]/u.test(host);
}

/** Some services take a token in place of the user's name. */
const tokenShape = /^(?:gh[a-z]_|github_pat_|glpat-|.{24})/i;

/** An address is stored and shown, so it may name a user (of SSH), but hold no password or token. */
function holdsSecret(url: string): boolean {
  const [, protocol = '', user] = /^([a-z]+):\/\/+(?:([^/?#]*)@)?/i.exec(url) ?? [];
  if (/[?#]/.test(url)) return true;
  if (user === undefined) return false;
  return /:|%3a/i.test(user) || (protocol.toLowerCase() !== 'ssh' && tokenShape.test(user));
}

function hasOddCharacters(text: string): boolean {
  return text.length > 2_000 || /[\s\p{C}]/u.test(text);
}
