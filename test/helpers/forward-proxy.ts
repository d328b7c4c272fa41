/** A real forward proxy (tinyproxy, from Debian) and a private certificate authority (openssl), on loopback. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ForwardProxy {
  readonly url: string;
  /** Returns the proxy's log: one line per connection, with the requested host. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Installs tinyproxy if it is missing; requires Debian and permission to install packages. */
async function ensureTinyproxy(): Promise<void> {
  const isThere = await run('tinyproxy', ['-v']).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  try {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '-y', 'tinyproxy']);
  } catch (error) {
    throw new Error('This test needs tinyproxy: install it (apt-get install tinyproxy) and run again.', {
      cause: error,
    });
  }
}

/** @param user the required credentials; without them, any client on this machine may use the proxy. */
export async function startForwardProxy(
  folder: string,
  user?: { readonly name: string; readonly password: string },
): Promise<ForwardProxy> {
  await ensureTinyproxy();
  const port = await freePort();
  const logFile = path.join(folder, `proxy-${port}.log`);
  const configuration = path.join(folder, `tinyproxy-${port}.conf`);
  await writeFile(
    configuration,
    `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nLogFile "${logFile}"\nLogLevel Connect\nAllow 127.0.0.1\n${user === undefined ? '' : `BasicAuth ${user.name} ${user.password}\n`}`,
  );
  await writeFile(logFile, '');
  const child = spawn('tinyproxy', ['-d', '-c', configuration], { stdio: 'ignore' });
  await listening(child, port);
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => readFile(logFile, 'utf8'),
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error('The proxy does not listen.', { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      socket.destroy();
    }
  }
}

/** Finds a free port, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a forward proxy that resolves `host` to this machine, like a company's name server. It requires a user name
 * and password, and records the requested hosts.
 */
export async function startNamingProxy(options: {
  readonly host: string;
  readonly user: string;
  readonly password: string;
}): Promise<{ url: string; asked(): readonly string[]; refused(): number; stop(): Promise<void> }> {
  const expected = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
  const asked: string[] = [];
  let refused = 0;
  const sockets = new Set<Socket>();
  const server = createHttpServer((_, response) => response.writeHead(405).end());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    if (request.headers['proxy-authorization'] !== expected) {
      refused += 1;
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
      return;
    }
    const [host = '', port = '443'] = (request.url ?? '').split(':');
    asked.push(host);
    const target = connect(Number(port), host === options.host ? '127.0.0.1' : host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address
    asked: () => asked,
    refused: () => refused,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface PrivateAuthority {
  readonly caFile: string;
  readonly certificate: string;
  readonly key: string;
  /** A client certificate from the same authority; the PKCS #12 file contains the certificate and the key, with the passphrase `hush`. */
  readonly client: {
    readonly certificateFile: string;
    readonly keyFile: string;
    readonly pkcs12File: string;
  };
}

/** A host name that only the test proxy resolves, and that the private certificate covers. */
export const privateHost = 'identity.test';

/** Creates a private authority, and a certificate for localhost, 127.0.0.1 and `privateHost`. */
export async function createPrivateAuthority(folder: string): Promise<PrivateAuthority> {
  const file = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args);
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const sign = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2'];
  await openssl(
    'req',
    '-x509',
    ...fresh,
    '-days',
    '2',
    '-subj',
    '/CN=Test Authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  );
  await openssl(
    'req',
    ...fresh,
    '-subj',
    '/CN=localhost',
    '-keyout',
    file('server.key'),
    '-out',
    file('server.csr'),
  );
  await writeFile(file('names'), `subjectAltName=DNS:localhost,DNS:${privateHost},IP:127.0.0.1\n`);
  await openssl(
    'x509',
    '-req',
    '-in',
    file('server.csr'),
    ...sign,
    '-extfile',
    file('names'),
    '-out',
    file('server.pem'),
  );
  await openssl(
    'req',
    ...fresh,
    '-subj',
    '/CN=reader',
    '-keyout',
    file('client.key'),
    '-out',
    file('client.csr'),
  );
  await openssl('x509', '-req', '-in', file('client.csr'), ...sign, '-out', file('client.pem'));
  await openssl(
    'pkcs12',
    '-export',
    '-inkey',
    file('client.key'),
    '-in',
    file('client.pem'),
    '-passout',
    'pass:hush',
    '-out',
    file('client.p12'),
  );
  const [certificate, key] = await Promise.all([
    readFile(file('server.pem'), 'utf8'),
    readFile(file('server.key'), 'utf8'),
  ]);
  const client = {
    certificateFile: file('client.pem'),
    keyFile: file('client.key'),
    pkcs12File: file('client.p12'),
  };
  return { caFile: file('ca.pem'), certificate, key, client };
}

/** A request and its response, as recorded by the HTTPS reverse proxy. */
export interface SeenExchange {
  readonly path: string;
  readonly body: string;
  readonly answer: string;
}

/** Starts an HTTPS reverse proxy. With `wantsClient`, it requires a client certificate from the authority. */
export async function startTlsFront(
  target: string,
  { certificate, key, caFile }: PrivateAuthority,
  { wantsClient = false } = {},
): Promise<{ port: number; seen: readonly SeenExchange[]; stop(): Promise<void> }> {
  const seen: SeenExchange[] = [];
  const forward: RequestListener = (incoming, answer) => {
    const asked: Buffer[] = [];
    const answered: Buffer[] = [];
    const outgoing = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method ?? 'GET', headers: incoming.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.on('data', (chunk: Buffer) => answered.push(chunk));
        response.once('end', () =>
          seen.push({
            path: incoming.url ?? '/',
            body: Buffer.concat(asked).toString(),
            answer: Buffer.concat(answered).toString(),
          }),
        );
        response.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.destroy());
    incoming.on('data', (chunk: Buffer) => asked.push(chunk));
    incoming.pipe(outgoing);
  };
  const mutual = wantsClient ? { requestCert: true, ca: await readFile(caFile) } : {};
  const server = createSecureServer({ cert: certificate, key, ...mutual }, forward);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a TCP server's address
    seen,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
