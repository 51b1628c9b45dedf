import { document, type Endpoint, endpoint } from '@hosted-mcp/core/http';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  type ResourceForm,
  type RouterPorts,
} from '@hosted-mcp/core/router';
import { oauthOnly, type ServedEvent } from './steps.ts';

/** D2, routes 1 to 3. Source: spec, "Protected resource metadata"; RFC 9728. */
export const protectedResource = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(oauthOnly(ports), async ({ deployment }: ServedEvent) =>
    document(protectedResourceMetadata(ports.settings.baseUrl, deployment.slug, form)),
  );

/** D2, route 7: for clients that look for the authorization server under the resource's own path. */
export const authorizationServer = (ports: RouterPorts): Endpoint =>
  endpoint(oauthOnly(ports), async () =>
    document(authorizationServerMetadata(ports.settings.baseUrl)),
  );
