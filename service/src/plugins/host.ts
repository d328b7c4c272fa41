/** Rejects requests for any host name but the service's own, as sent by a web page after DNS rebinding. */
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
          'This service does not answer to this host name. Callers use localhost, or the name that its operator gives it: --allow-host of a sandbox, public-url of a team’s service.',
        ),
      );
  });
}

/** @param header the value of `Host`: a name or an address, usually with a port */
export function isOwnHost(header: string, { host, publicUrl, allowedHosts = [] }: Names): boolean {
  const name = hostnameOf(`http://${header}`);
  if (name === undefined) return false;
  if (name === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(name) || name === '[::1]') return true;
  const own = [hostnameOf(publicUrl ?? ''), ...[host, ...allowedHosts].map(nameOfHost)];
  if (own.includes(name)) return true;
  // When listening on all addresses, accept any IP address: only names can be rebound.
  return ['0.0.0.0', '::'].includes(host) && isIP(name.replaceAll(/[[\]]/g, '')) > 0;
}

/** Returns the host name of a bare name or address. Undefined for anything else, such as a name with a port. */
export function nameOfHost(host: string): string | undefined {
  if (isIP(host) === 6) return hostnameOf(`http://[${host}]`);
  return /[:/?#@\\]/.test(host) ? undefined : hostnameOf(`http://${host}`);
}

/** Normalizes as URLs do: names in lowercase, addresses in canonical form. */
function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
