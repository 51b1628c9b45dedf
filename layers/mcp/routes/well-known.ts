import { document } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  protectedResourceMetadata,
} from '../../oauth/rules/metadata.ts';
import type { ResourceForm } from '../../platform/rules/addresses.ts';
import type { RouterPorts } from '../steps/ports.ts';
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
