import type { MetadataRules } from '../../rules/clients/client-metadata.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import { takesAssertions } from '../../../identity/rules/providers.ts';
import type { OauthPorts, OauthSettings } from '../../ports.ts';

export const metadataRules = async ({
  identityProviders,
  settings: { limits, allowedRedirectUris = [] },
}: Pick<OauthPorts, 'identityProviders'> & {
  readonly settings: LimitsSettings & Pick<OauthSettings, 'allowedRedirectUris'>;
}): Promise<MetadataRules> => ({
  maxLength: limits.redirect_uri_max_length,
  maxRedirectUris: limits.redirect_uris_per_client,
  allowed: allowedRedirectUris,
  takesAssertions: takesAssertions(await identityProviders.list()),
});
