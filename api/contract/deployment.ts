/** The addresses of a deployment (specification, "Authentication"). */

/** The addresses as configured; `resolveDeployment` inserts the environment. */
export interface Deployment {
  /** May contain `{environment}`, which is replaced by the deployment's name. */
  readonly baseUrl: string;
  /**
   * May contain `{environment}`, like the base address. Otherwise, it is the production address, in which the word
   * `prod` is replaced by the name of another environment.
   */
  readonly authUrl: string;
  /** Defaults to `prod`. */
  readonly environment?: string | undefined;
}

/** Removes trailing slashes. */
export function withoutSlashes(address: string): string {
  let end = address.length;
  while (address.charAt(end - 1) === '/') end -= 1;
  return address.slice(0, end);
}

/** Inserts the environment's name into both addresses; removes the base address's trailing slashes. */
export function resolveDeployment(deployment: Deployment): { baseUrl: string; authUrl: string } {
  const environment =
    deployment.environment === undefined || deployment.environment === '' ? 'prod' : deployment.environment;
  const baseUrl = withoutSlashes(deployment.baseUrl.replaceAll('{environment}', environment));
  const authUrl = deployment.authUrl.includes('{environment}')
    ? deployment.authUrl.replaceAll('{environment}', environment)
    : deployment.authUrl.replaceAll(/\bprod\b/g, () => environment);
  return { baseUrl, authUrl };
}

/** Returns whether a host, as written in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
