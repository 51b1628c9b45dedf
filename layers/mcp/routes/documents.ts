import { oauthOnly, publicSteps, type ServedEvent } from './admission.ts';
import { discoveryDocument, healthDocument } from '../rules/documents.ts';
import { serverCard } from '../rules/server-json.ts';
import type { RouterPorts } from '../steps/ports.ts';
import {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  protectedResourceMetadata,
} from '../../oauth/rules/metadata.ts';
import { cachedDocument, document, json } from '../../platform/http/reply.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { endingOf, type ResourceForm } from '../../platform/rules/addresses.ts';
import { servedVersions } from '../../platform/rules/protocol-versions.ts';

/** Public for every authentication mode. Source: docs/protocol.md, "Discovery document". */
export const discovery = (ports: RouterPorts): Endpoint =>
  endpoint(publicSteps(ports), async ({ deployment }: ServedEvent) =>
    document(discoveryDocument(ports.settings.baseUrl, deployment, servedVersions(ports.settings))),
  );

/** Public for every authentication mode. Source: docs/decisions/mcp.md, "Health and docs". */
export const health = (ports: RouterPorts): Endpoint =>
  endpoint(publicSteps(ports), async ({ deployment }: ServedEvent) =>
    json(200, healthDocument(deployment)),
  );

const MEDIA_TYPE = 'application/mcp-server-card+json';
const MAX_AGE_SECONDS = 3600;

/**
 * GET of `/server-card` below the MCP endpoint, public for every authentication mode. Source: MCP
 * Server Cards (https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127);
 * docs/decisions/mcp.md, "Registries and cards".
 */
export const card = (ports: RouterPorts): Endpoint =>
  endpoint(publicSteps(ports), async ({ deployment, headers }: ServedEvent) => {
    const { baseUrl } = ports.settings;
    const text = JSON.stringify(serverCard(baseUrl, deployment, servedVersions(ports.settings)));
    return cachedDocument(text, {
      mediaType: MEDIA_TYPE,
      maxAgeSeconds: MAX_AGE_SECONDS,
      ifNoneMatch: headers['if-none-match'],
    });
  });

/**
 * Protected resource metadata at `/.well-known/oauth-protected-resource` followed by the resource's
 * path. Source: RFC 9728 §2, §3.3; docs/decisions/oauth.md, "Metadata routes".
 */
export const protectedResource = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(oauthOnly(ports), async (event: ServedEvent) => {
    const { slug } = event.deployment;
    return document(protectedResourceMetadata(ports.settings.baseUrl, slug, form, endingOf(event)));
  });

/** The same metadata below the resource's own path; it always names the base form of the resource. */
export const appendedProtectedResource = (ports: RouterPorts): Endpoint =>
  endpoint(oauthOnly(ports), async ({ deployment: { slug } }: ServedEvent) =>
    document(protectedResourceMetadata(ports.settings.baseUrl, slug, 'base')),
  );

/** For clients that look for the authorization server under the resource's own path. */
export const authorizationServer = (ports: RouterPorts): Endpoint =>
  endpoint(oauthOnly(ports), async () =>
    document({
      ...authorizationServerMetadata(ports.settings.baseUrl),
      ...clientAuthenticationMetadata,
      ...enterpriseMetadata(await ports.identityProviders.list()),
    }),
  );
