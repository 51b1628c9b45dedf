import { type Endpoint, endpoint, json } from '@hosted-mcp/core/http';
import { healthDocument, type RouterPorts } from '@hosted-mcp/core/router';
import { open, type ServedEvent } from './served.ts';

/** Public. Source: docs/decisions/mcp.md, "Health and docs". */
export const health = (ports: RouterPorts): Endpoint =>
  endpoint(open(ports), async ({ deployment }: ServedEvent) =>
    json(200, healthDocument(deployment)),
  );
