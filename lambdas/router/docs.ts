import { type Endpoint, endpoint, page } from '@hosted-mcp/core/http';
import { documentTools, listOperations, type RouterPorts } from '@hosted-mcp/core/router';
import { open, type ServedEvent } from './steps.ts';

/** A page for people. Public. Source: D17. */
export const docs = (ports: RouterPorts): Endpoint =>
  endpoint(open(ports), async ({ deployment }: ServedEvent) => {
    const [tools, operations] = await Promise.all([
      documentTools(ports, deployment),
      listOperations(ports, deployment),
    ]);
    // Loaded when somebody looks, so that the template engine costs no cold start.
    const { docsPage, STYLE_HASH } = await import('@hosted-mcp/core/pages');
    return page(docsPage(ports.settings.baseUrl, deployment, tools, operations), STYLE_HASH);
  });
