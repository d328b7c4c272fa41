/** What a person is told if something else than a PostgreSQL server answers at the address of their database. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { parseTarget } from '#base/postgres-address.ts';
import { OwnDatabase } from '#service/own-data/database.ts';

/** A server that answers the login, which nothing encrypts, with an error. */
function refuses(code: string, message: string): (socket: Socket) => void {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const header = Buffer.alloc(5, 'E');
  header.writeUInt32BE(fields.length + 4, 1);
  return (socket) => socket.once('data', () => socket.end(Buffer.concat([header, fields])));
}

/** After `S`, a client begins TLS; after `N`, it goes on without. */
const servers: readonly (readonly [what: string, serve: (socket: Socket) => void, told: RegExp, mode?: string])[] = [
  ['a server that greets first', (socket) => socket.write('SSH-2.0-Server\r\n'), /what answers there is not PostgreSQL\. Check host and port/],
  ['a web server', (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), /what answers there is not PostgreSQL\. Check host and port/],
  ['a server that hangs up', (socket) => socket.end(), /the connection was closed\. Check that PostgreSQL answers at this host and port/],
  ['a server that breaks the connection', (socket) => socket.resetAndDestroy(), /the connection was closed\. Check that PostgreSQL answers/],
  ['no TLS after it was agreed on', (socket) => socket.once('data', () => { socket.write('S'); socket.once('data', () => socket.end('no TLS at all')); }), /no encryption could be agreed on \([A-Z_]+\)\. Check that PostgreSQL with TLS 1\.2/],
  ...[42, 48, 116].map((alert) => [`TLS that ends with alert ${alert}, which is about the certificate of the login`, (socket: Socket) => socket.once('data', () => { socket.write('S'); socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert]))); }), /refuses the certificate of this login, or wants one \(TLS alert \d+\)\. Name one that the server trusts with sslcert=FILE/] as const),
  ['TLS that ends with alert 40, before which a certificate may be missed', (socket) => socket.once('data', () => { socket.write('S'); socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40]))); }), /TLS alert 40\): it wants a certificate of this login, or knows none of the ciphers.* sslcert=FILE and sslkey=FILE in the address\. If it wants none/],
  ['a server that is starting', refuses('57P03', 'the database system is starting up'), /the server is starting up or shutting down\. Wait a moment, then try again\.$/, 'disable'],
  ['a server that wants a certificate beside TLS', refuses('28000', 'connection requires a valid client certificate'), /lets? this user in: connection requires a valid client certificate\. Name the certificate and the key of this login with sslcert=FILE/, 'disable'],
  ['a directory that refuses the password', refuses('28000', 'LDAP authentication failed for user "reader"'), /does not let this user in: LDAP authentication failed for user "reader"\. Check the user, its password, and pg_hba\.conf/, 'disable'],
]; // oxfmt-ignore

suite('an address where', () => {
  for (const [what, serve, told, mode = 'require'] of servers)
    test(`there is ${what}`, async () => {
      const server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(
        0,
        '127.0.0.1',
      );
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo; // a TCP server's address
      const parsed = parseTarget(`postgres://reader@127.0.0.1:${port}/hr?sslmode=${mode}`);
      assert.equal(parsed.kind, 'target');
      try {
        await assert.rejects(new OwnDatabase(parsed.target, () => Promise.resolve('x')).connect(), told);
      } finally {
        server.close();
      }
    });
});
