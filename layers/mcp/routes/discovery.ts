import { document } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { discoveryDocument } from '../rules/documents.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { servedVersions } from '../../servers/steps/served-versions.ts';
import { open, type ServedEvent } from './served.ts';

/** The discovery document, public in every mode. Source: docs/protocol.md, "Discovery document". */
export const discovery = (ports: RouterPorts): Endpoint =>
  endpoint(open(ports), async ({ deployment }: ServedEvent) =>
    document(discoveryDocument(ports.settings.baseUrl, deployment, servedVersions(ports.settings))),
  );
