import type { Endpoint } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { json } from '../../platform/http/reply.ts';
import { healthDocument } from '../rules/documents.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { open, type ServedEvent } from './served.ts';

/** Public. Source: docs/decisions/mcp.md, "Health and docs". */
export const health = (ports: RouterPorts): Endpoint =>
  endpoint(open(ports), async ({ deployment }: ServedEvent) =>
    json(200, healthDocument(deployment)),
  );
