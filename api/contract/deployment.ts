/** The addresses of a deployment (specification, "Authentication"). */

/** The base address and token address of a deployment (specification, "Authentication"). */
export interface Deployment {
  /** May hold `{environment}`, which stands for the deployment's name. */
  readonly baseUrl: string;
  /**
   * Holds `{environment}` as the base address may; else it is production's, and for another environment the word `prod`
   * in it is replaced by its name. Never both.
   */
  readonly authUrl: string;
  /** Defaults to `prod`. */
  readonly environment?: string | undefined;
}

/** Without the slashes at its end. */
export function withoutSlashes(address: string): string {
  let end = address.length;
  while (address.charAt(end - 1) === '/') end -= 1;
  return address.slice(0, end);
}

/** Puts the environment's name into both addresses; a trailing slash of the base address is dropped. */
export function resolveDeployment(deployment: Deployment): { baseUrl: string; authUrl: string } {
  const environment =
    deployment.environment === undefined || deployment.environment === '' ? 'prod' : deployment.environment;
  const baseUrl = withoutSlashes(deployment.baseUrl.replaceAll('{environment}', environment));
  const authUrl = deployment.authUrl.includes('{environment}')
    ? deployment.authUrl.replaceAll('{environment}', environment)
    : deployment.authUrl.replaceAll(/\bprod\b/g, () => environment);
  return { baseUrl, authUrl };
}

/** Whether a host, as a URL names it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
