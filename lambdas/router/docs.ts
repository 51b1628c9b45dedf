import { type Endpoint, endpoint, page, sessionCookie } from '@hosted-mcp/core/http';
import {
  chargeAddress,
  documentTools,
  listOperations,
  readsDocs,
  type RouterPorts,
  servedVersions,
} from '@hosted-mcp/core/router';
import { open, type ServedEvent } from './served.ts';

/** A page for people. Source: docs/decisions/mcp.md, "Health and docs". */
export const docs = (ports: RouterPorts): Endpoint => {
  const { baseUrl } = ports.settings;
  const session = sessionCookie(baseUrl);
  return endpoint(open(ports), async (event: ServedEvent) => {
    const { deployment } = event;
    const { sourceIp } = event.requestContext.http;
    // In every mode: a page may have thousands of tools.
    await chargeAddress(ports, { deployment, sourceIp, answersTo: null });
    const contents = (await readsDocs(ports, deployment, session.read(event)))
      ? await contentsOf(ports, deployment)
      : undefined;
    // Loaded when somebody looks, so that the template engine costs no cold start.
    const { docsPage, STYLE_HASH } = await import('@hosted-mcp/core/pages');
    const versions = servedVersions(ports.settings);
    return page(docsPage(baseUrl, deployment, versions, contents), STYLE_HASH);
  });
};

const contentsOf = async (ports: RouterPorts, deployment: ServedEvent['deployment']) => {
  const [tools, operations] = await Promise.all([
    documentTools(ports, deployment),
    listOperations(ports, deployment),
  ]);
  return { tools, operations };
};
