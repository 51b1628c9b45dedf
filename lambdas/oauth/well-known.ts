import { document, type Endpoint } from '@hosted-mcp/core/http';
import {
  authorizationServerMetadata,
  type MachinePorts,
  openIdConfiguration,
} from '@hosted-mcp/core/oauth';

/**
 * The metadata of the authorization server.
 * Source: RFC 8414 §3; docs/decisions.md, "Metadata routes".
 */
export const authorizationServer =
  ({ settings }: MachinePorts): Endpoint =>
  async () =>
    document(authorizationServerMetadata(settings.baseUrl));

/**
 * The same as an OpenID provider's.
 * Source: OpenID Connect Discovery §4; docs/decisions.md, "Metadata routes".
 */
export const openId =
  ({ settings }: MachinePorts): Endpoint =>
  async () =>
    document(openIdConfiguration(settings.baseUrl));

/** The public keys. Source: RFC 7517 §5; docs/decisions.md, "Signing keys". */
export const jwks =
  ({ signingKeys }: MachinePorts): Endpoint =>
  async () =>
    document({ keys: await signingKeys.list() }, { 'cache-control': 'public, max-age=300' });
