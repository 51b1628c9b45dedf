import { cachedDocument } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { servedVersions } from '../../servers/steps/served-versions.ts';
import { serverCard } from '../rules/server-card.ts';
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
