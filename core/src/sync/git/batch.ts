/** Reads the output of `git cat-file --batch`: contents by object ID. A missing object has none. */
export function blobsOf(output: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    const [id = '', type = '', size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    // A tree may name another kind of object as a file. Its content is passed over, since it may look like a header.
    if (type === 'blob') found.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
