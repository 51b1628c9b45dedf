import type { MetadataRules } from '../../rules/clients/client-metadata.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { OauthSettings } from '../../ports.ts';

export type MetadataSettings = LimitsSettings &
  Pick<OauthSettings, 'allowedRedirectUris' | 'identityProviders'>;

export const metadataRules = ({
  limits,
  allowedRedirectUris = [],
  identityProviders = [],
}: MetadataSettings): MetadataRules => ({
  maxLength: limits.redirect_uri_max_length,
  maxRedirectUris: limits.redirect_uris_per_client,
  allowed: allowedRedirectUris,
  takesAssertions: identityProviders.length > 0,
});
