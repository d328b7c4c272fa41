/**
 * Source of a connection's client secret. `entered`: entered by the user in this editor. `entered-for-window`: entered,
 * but not stored, for a connection that exists only until the window closes. `environment`: from the process environment.
 */
export type SecretOrigin =
  | 'entered'
  | 'entered-for-window'
  | 'environment'
  | 'sandbox'
  | 'local'
  | 'variable'
  | 'program'
  | 'missing';
