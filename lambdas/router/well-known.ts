import { document, type Endpoint, endpoint } from '@hosted-mcp/core/http';
import {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  protectedResourceMetadata,
  type ResourceForm,
  type RouterPorts,
} from '@hosted-mcp/core/router';
import type { ServedEvent } from './served.ts';
import { oauthOnly } from './steps.ts';

/** What the resource says of itself. Source: RFC 9728 §2; docs/decisions/oauth.md, "Metadata routes". */
export const protectedResource = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(oauthOnly(ports), async ({ deployment }: ServedEvent) =>
    document(protectedResourceMetadata(ports.settings.baseUrl, deployment.slug, form)),
  );

/** For clients that look for the authorization server under the resource's own path. */
export const authorizationServer = (ports: RouterPorts): Endpoint =>
  endpoint(oauthOnly(ports), async () =>
    document({
      ...authorizationServerMetadata(ports.settings.baseUrl),
      ...clientAuthenticationMetadata,
      ...enterpriseMetadata(ports.settings.identityProviders),
    }),
  );
