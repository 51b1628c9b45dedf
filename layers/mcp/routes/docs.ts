import { isRecording } from '../../deployments/rules/recording.ts';
import { longDate } from '../../platform/rules/time.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { page } from '../../platform/http/reply.ts';
import { sessionCookie } from '../../platform/http/cookies.ts';
import { chargeAddress } from '../steps/authentication/charge.ts';
import { documentTools } from '../steps/document-tools.ts';
import { listOperations } from '../steps/calls/tool-modes.ts';
import { listedNames } from '../rules/clients/server-name.ts';
import { readsDocs } from '../steps/reads-docs.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { servedVersions } from '../../platform/rules/protocol-versions.ts';
import { publicSteps, type ServedEvent } from './admission.ts';

/** Docs page of a deployment. Source: docs/decisions/mcp.md, "Health and docs". */
export const docs = (ports: RouterPorts): Endpoint => {
  const { baseUrl } = ports.settings;
  const session = sessionCookie(baseUrl);
  return endpoint(publicSteps(ports), async (event: ServedEvent) => {
    const { deployment } = event;
    const { sourceIp } = event.requestContext.http;
    // Charged for every authentication mode: a page may have thousands of tools.
    await chargeAddress(ports, { deployment, sourceIp, answersTo: null });
    const contents = (await readsDocs(ports, deployment, session.read(event)))
      ? await contentsOf(ports, deployment)
      : undefined;
    // Imported on demand, so that the template engine does not slow down cold starts.
    const { docsPage, STYLE_HASH } = await import('../pages/docs.ts');
    const versions = servedVersions(ports.settings);
    const { recording } = deployment;
    const recordedUntil = isRecording(recording, ports.clock.now())
      ? longDate(recording.until)
      : undefined;
    const { id, version } = deployment;
    const index = await ports.toolIndexes.find(id, version);
    const toolNames = listedNames(deployment, index?.tools ?? []);
    const shown = { contents, toolNames, recordedUntil };
    const text = docsPage(baseUrl, deployment, versions, shown);
    return page(text, STYLE_HASH);
  });
};

const contentsOf = async (ports: RouterPorts, deployment: ServedEvent['deployment']) => {
  const [tools, operations] = await Promise.all([
    documentTools(ports, deployment),
    listOperations(ports, deployment),
  ]);
  return { tools, operations };
};
