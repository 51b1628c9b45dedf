import { document } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  openIdConfiguration,
} from '../rules/metadata.ts';
import type { MachinePorts } from '../steps/ports.ts';

/** Metadata at the path-appended address. Source: docs/decisions/oauth.md, "Metadata routes". */
export const appendedMetadata =
  ({ settings }: MachinePorts): Endpoint =>
  async () =>
    document(authorizationServerMetadata(settings.baseUrl));

/**
 * Metadata at the address of RFC 8414 §3, with all ways of client authentication. Source: docs/decisions/oauth.md,
 * "Metadata routes".
 */
export const authorizationServer =
  ({ identityProviders, settings }: MachinePorts): Endpoint =>
  async () =>
    document({
      ...authorizationServerMetadata(settings.baseUrl),
      ...clientAuthenticationMetadata,
      ...enterpriseMetadata(await identityProviders.list()),
    });

/** Metadata of an OpenID provider. Source: OpenID Connect Discovery §4; docs/decisions/oauth.md, "Metadata routes". */
export const openId =
  ({ identityProviders, settings }: MachinePorts): Endpoint =>
  async () =>
    document(openIdConfiguration(settings.baseUrl, await identityProviders.list()));

/** Source: RFC 7517 §5; docs/decisions/oauth.md, "Signing keys". */
export const jwks =
  ({ mintingKeys, signingKeys }: MachinePorts): Endpoint =>
  async () => {
    const keys = (await Promise.all([signingKeys.list(), mintingKeys.list()])).flat();
    return document({ keys }, { 'cache-control': 'public, max-age=300' });
  };
