import { document, type Endpoint, endpoint } from '@hosted-mcp/core/http';
import { discoveryDocument, type RouterPorts, servedVersions } from '@hosted-mcp/core/router';
import { open, type ServedEvent } from './served.ts';

/** The discovery document, public in every mode. Source: docs/protocol.md, "Discovery document". */
export const discovery = (ports: RouterPorts): Endpoint =>
  endpoint(open(ports), async ({ deployment }: ServedEvent) =>
    document(discoveryDocument(ports.settings.baseUrl, deployment, servedVersions(ports.settings))),
  );
