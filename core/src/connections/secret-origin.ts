/**
 * Where the client secret of a connection comes from. `entered`: a person gave it to this editor. `environment`: it came
 * with the process.
 */
export type SecretOrigin = 'entered' | 'environment' | 'sandbox' | 'variable' | 'program' | 'missing';
