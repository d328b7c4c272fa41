/** Dependencies of the feature for own databases. */
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import type { SecretStore } from '#client/session/secrets.ts';

export interface OwnDataDependencies extends FeatureDependencies {
  readonly secrets: SecretStore;
}
