import type { MetadataRules } from '../../rules/clients/client-metadata.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import { takesAssertions } from '../../../identity/rules/providers.ts';
import type { OauthPorts, OauthSettings } from '../../ports.ts';

export type MetadataSettings = LimitsSettings & Pick<OauthSettings, 'allowedRedirectUris'>;

type MetadataRulesPorts = Pick<OauthPorts, 'identityProviders'> & {
  readonly settings: MetadataSettings;
};

export const metadataRules = async ({
  identityProviders,
  settings: { limits, allowedRedirectUris = [] },
}: MetadataRulesPorts): Promise<MetadataRules> => ({
  maxLength: limits.redirect_uri_max_length,
  maxRedirectUris: limits.redirect_uris_per_client,
  allowed: allowedRedirectUris,
  takesAssertions: takesAssertions(await identityProviders.list()),
});
