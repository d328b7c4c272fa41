/**
 * Source of a connection's client secret. `entered`: entered by the user in this editor. `environment`: from the
 * process environment.
 */
export type SecretOrigin = 'entered' | 'environment' | 'sandbox' | 'variable' | 'program' | 'missing';
