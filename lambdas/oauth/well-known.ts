import { document, type Endpoint } from '@hosted-mcp/core/http';
import {
  authorizationServerMetadata,
  type MachinePorts,
  openIdConfiguration,
} from '@hosted-mcp/core/oauth';

/** D2, routes 4 and 5. Source: RFC 8414 §3. */
export const authorizationServer =
  ({ settings }: MachinePorts): Endpoint =>
  async () =>
    document(authorizationServerMetadata(settings.baseUrl));

/** D2, route 6. Source: OpenID Connect Discovery §4. */
export const openId =
  ({ settings }: MachinePorts): Endpoint =>
  async () =>
    document(openIdConfiguration(settings.baseUrl));

/** The public keys. Source: RFC 7517 §5; D26. */
export const jwks =
  ({ signingKeys }: MachinePorts): Endpoint =>
  async () =>
    document({ keys: await signingKeys.list() }, { 'cache-control': 'public, max-age=300' });
