import { cachedDocument, type Endpoint, endpoint } from '@hosted-mcp/core/http';
import { type RouterPorts, servedVersions, serverCard } from '@hosted-mcp/core/router';
import { open, type ServedEvent } from './served.ts';

const MEDIA_TYPE = 'application/mcp-server-card+json';
const MAX_AGE_SECONDS = 3600;

/**
 * GET of the MCP endpoint's `/server-card`, public in every mode as the discovery document is.
 * Source: SEP-2127, MCP Server Cards; docs/decisions/mcp.md, "Registries and cards".
 */
export const card = (ports: RouterPorts): Endpoint =>
  endpoint(open(ports), async ({ deployment, headers }: ServedEvent) => {
    const { baseUrl } = ports.settings;
    const text = JSON.stringify(serverCard(baseUrl, deployment, servedVersions(ports.settings)));
    return cachedDocument(text, {
      mediaType: MEDIA_TYPE,
      maxAgeSeconds: MAX_AGE_SECONDS,
      ifNoneMatch: headers['if-none-match'],
    });
  });
