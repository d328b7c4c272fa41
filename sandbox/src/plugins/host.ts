/**
 * Answers only to the names this service has. A web page whose name was made to mean this machine (DNS rebinding) sends
 * its own name as `Host`, and gets nothing.
 */
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { SandboxOptions } from '../options.ts';

type Names = Pick<SandboxOptions, 'host' | 'publicUrl' | 'allowedHosts'>;

export function useHostCheck(app: FastifyInstance, names: Names): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isOwnHost(request.headers.host ?? '', names)) done();
    else
      done(
        new ServiceError(
          'FORBIDDEN',
          'This service does not answer to this host name. Start it with --allow-host and the name that callers use.',
        ),
      );
  });
}

/** @param header the value of `Host`: a name or an address, mostly with a port. */
export function isOwnHost(header: string, { host, publicUrl, allowedHosts = [] }: Names): boolean {
  const name = hostnameOf(`http://${header}`);
  if (name === undefined) return false;
  if (name === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(name) || name === '[::1]') return true;
  const own = [hostnameOf(publicUrl ?? ''), ...[host, ...allowedHosts].map(nameOfHost)];
  if (own.includes(name)) return true;
  // Listening on all addresses, by any of them: only a name can be made to mean another machine.
  return ['0.0.0.0', '::'].includes(host) && isIP(name.replaceAll(/[[\]]/g, '')) > 0;
}

/** Of a name or an address alone; undefined for anything else, such as one with a port. */
export function nameOfHost(host: string): string | undefined {
  if (isIP(host) === 6) return hostnameOf(`http://[${host}]`);
  return /[:/?#@\\]/.test(host) ? undefined : hostnameOf(`http://${host}`);
}

/** As URLs write it: in small letters, addresses in one form. */
function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
