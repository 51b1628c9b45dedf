import { document } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  openIdConfiguration,
} from '../rules/metadata.ts';
import type { MachinePorts } from '../steps/ports.ts';

/**
 * The metadata of the authorization server, at the address that appends a path to its own.
 * Source: docs/decisions/oauth.md, "Metadata routes".
 */
export const appendedMetadata =
  ({ settings }: MachinePorts): Endpoint =>
  async () =>
    document(authorizationServerMetadata(settings.baseUrl));

/**
 * The same where the standard looks for it, with all ways to authenticate.
 * Source: RFC 8414 §3; docs/decisions/oauth.md, "Metadata routes".
 */
export const authorizationServer =
  ({ identityProviders, settings }: MachinePorts): Endpoint =>
  async () =>
    document({
      ...authorizationServerMetadata(settings.baseUrl),
      ...clientAuthenticationMetadata,
      ...enterpriseMetadata(await identityProviders.list()),
    });

/**
 * The same as an OpenID provider's.
 * Source: OpenID Connect Discovery §4; docs/decisions/oauth.md, "Metadata routes".
 */
export const openId =
  ({ identityProviders, settings }: MachinePorts): Endpoint =>
  async () =>
    document(openIdConfiguration(settings.baseUrl, await identityProviders.list()));

/** The public keys. Source: RFC 7517 §5; docs/decisions/oauth.md, "Signing keys". */
export const jwks =
  ({ mintingKeys, signingKeys }: MachinePorts): Endpoint =>
  async () => {
    const keys = (await Promise.all([signingKeys.list(), mintingKeys.list()])).flat();
    return document({ keys }, { 'cache-control': 'public, max-age=300' });
  };
