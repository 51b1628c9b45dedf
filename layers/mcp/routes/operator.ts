import { isOperatorEvent } from '../../api/operator.ts';
import { readDescriptionFetch, readToolTrial } from './tool-trial.ts';
import { fetchDescription, type FetchDescriptionPorts } from '../steps/calls/fetch-description.ts';
import { tryTool, type TryToolPorts } from '../steps/calls/try-tool.ts';

/**
 * What the management function asks of the router, which alone is given credentials. Each leaves a line of its
 * own, `tool_trial` or `description_fetch`.
 *
 * @throws Error for an event that is none of management's
 */
export const operatorCommands =
  (ports: TryToolPorts & FetchDescriptionPorts) =>
  async (event: unknown): Promise<object> => {
    const { operator, ...sent } = isOperatorEvent(event) ? event : { operator: undefined };
    switch (operator) {
      case 'try-tool':
        return { ok: true, trial: await tryTool(ports, readToolTrial(sent)) };
      case 'fetch-description':
        return { ok: true, ...(await fetchedBody(ports, sent)) };
      default:
        throw new Error('not a command of this function: operator: unknown');
    }
  };

const fetchedBody = async (ports: FetchDescriptionPorts, sent: unknown): Promise<object> => {
  const answer = await fetchDescription(ports, readDescriptionFetch(sent));
  if (!answer) return {};
  const { gzipSync } = await import('node:zlib');
  const { status, headers, body } = answer;
  const contentType = headers['content-type'];
  return {
    fetched: {
      status,
      ...(contentType !== undefined && { contentType }),
      body: gzipSync(body).toString('base64'),
    },
  };
};
