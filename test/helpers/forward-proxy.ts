/** A real forward proxy (tinyproxy, from Debian) and a private certificate authority (openssl), on loopback. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ForwardProxy {
  readonly url: string;
  /** What it logged: one line a connection, with the host that was asked for. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Installs tinyproxy where it is missing; needs Debian and the rights to install. */
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

export async function startForwardProxy(folder: string): Promise<ForwardProxy> {
  await ensureTinyproxy();
  const port = await freePort();
  const logFile = path.join(folder, 'proxy.log');
  const configuration = path.join(folder, 'tinyproxy.conf');
  await writeFile(
    configuration,
    `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nLogFile "${logFile}"\nLogLevel Connect\nAllow 127.0.0.1\n`,
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
  const deadline = Date.now() + 10_000;
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

/** For programs that cannot choose a port themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  server.close();
  await once(server, 'close');
  return port;
}

export interface PrivateAuthority {
  readonly caFile: string;
  readonly certificate: string;
  readonly key: string;
}

/** An authority of its own and a certificate for localhost and 127.0.0.1 signed by it. */
export async function createPrivateAuthority(folder: string): Promise<PrivateAuthority> {
  const file = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args);
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  await openssl('req', '-x509', ...fresh, '-days', '2', '-subj', '/CN=Test Authority', '-keyout', file('ca.key'), '-out', file('ca.pem'));
  await openssl('req', ...fresh, '-subj', '/CN=localhost', '-keyout', file('server.key'), '-out', file('server.csr'));
  await writeFile(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  await openssl('x509', '-req', '-in', file('server.csr'), '-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', file('names'), '-out', file('server.pem'));
  const [certificate, key] = await Promise.all([readFile(file('server.pem'), 'utf8'), readFile(file('server.key'), 'utf8')]);
  return { caFile: file('ca.pem'), certificate, key };
} // prettier-ignore

/** An HTTPS address in front of an HTTP one. */
export async function startTlsFront(
  target: string,
  { certificate, key }: PrivateAuthority,
): Promise<{ port: number; stop(): Promise<void> }> {
  const forward: RequestListener = (incoming, answer) => {
    const outgoing = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method ?? 'GET', headers: incoming.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  };
  const server = createSecureServer({ cert: certificate, key }, forward);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listening on TCP
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
