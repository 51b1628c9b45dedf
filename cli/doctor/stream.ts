import { Failure } from '../failure.ts';
import { failed, type Fault, judged, type Step } from './step.ts';
import { statusFault, type Visit, type Visited } from './visit.ts';

const STREAM = 'stream';
const EVENTS = 'text/event-stream';

/**
 * What a client gets that listens for messages of the server: a stream that ends at once and says when
 * to come back, or a 405.
 *
 * Source: MCP 2025-03-26, "Listening for Messages from the Server"; docs/decisions/mcp.md, "The event
 * stream".
 */
export const streamStep = async (
  visit: Visit,
  messages: string,
  headers: Readonly<Record<string, string>>,
): Promise<Step> => {
  try {
    const answer = await visit.get(messages, { ...headers, accept: EVENTS });
    const good = answer.status === 405 ? 'there is none (405)' : 'begins and ends as it should';
    return judged(STREAM, streamFault(answer), good);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(STREAM, {
      what: `the stream does not end: ${error.message}`,
      cause: 'A gateway or proxy holds the answer back, or the connection open.',
      hint: 'Let answers pass as they come.',
    });
  }
};

const streamFault = (answer: Visited): Fault | undefined => {
  const wrongStatus = statusFault(answer, [200, 405]);
  if (wrongStatus || answer.status === 405) return wrongStatus;
  const type = answer.header('content-type');
  if (!type?.startsWith(EVENTS)) {
    return {
      what: `GET answers ${type ?? 'without a type'} instead of a stream of events`,
      cause: 'Something else answers at this address: a proxy, a login page, another service.',
      hint: 'Lead GET requests to the service, too.',
    };
  }
  if (/^retry: ?\d+$/m.test(answer.text)) return undefined;
  return {
    what: 'the stream ends without saying when to come back',
    cause: 'A proxy changes the stream, or another service answers.',
    hint: 'Let it pass as it is: clients come back every second otherwise.',
  };
};
