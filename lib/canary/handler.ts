/** Walks from discovery to a tool call, as a client does. Inlined into the template, it may only write its log. */
export interface CanaryEvent {
  readonly baseUrl: string;
  /** Slug of a deployment of mode `none`. */
  readonly slug: string;
  /** A tool without side effects. */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;

const STEP_MS = 15_000;

/** @throws Error that names the step */
export const handler = async (event: CanaryEvent): Promise<void> => {
  const server = `${event.baseUrl}/mcp-router/${event.slug}`;
  const messages = `${server}/messages`;
  const { endpoints } = await ask('discovery', `${server}/.well-known/mcp-server`);
  // The canary calls only its own stage, wherever discovery points.
  if ((endpoints as Json | undefined)?.['messages'] !== messages)
    fail('discovery', 'another address');

  const call = async (method: string, params: Json): Promise<Json> => {
    const { result, error } = await ask(method, messages, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    if (typeof result !== 'object' || result === null) fail(method, JSON.stringify(error));
    return result as Json;
  };
  const clientInfo = { name: 'hosted-mcp-canary', version: '1' };
  await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const { tools } = await call('tools/list', {});
  if (!(tools as readonly Json[]).some(({ name }) => name === event.tool)) {
    fail('tools/list', `there is no tool ${event.tool}`);
  }
  const { isError } = await call('tools/call', { name: event.tool, arguments: event.arguments });
  if (isError === true) fail('tools/call', 'the tool failed');
};

const ask = async (step: string, url: string, init: RequestInit = {}): Promise<Json> => {
  const signal = AbortSignal.timeout(STEP_MS);
  // The URL is the stage's own: nobody else chooses it.
  // oxlint-disable-next-line no-restricted-globals
  const answer = await fetch(url, { ...init, signal, redirect: 'error' }).catch((error: Error) =>
    fail(step, `no answer (${error.name})`),
  );
  const text = await answer.text();
  if (answer.status !== 200) fail(step, `status ${answer.status}`);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return fail(step, 'no JSON');
  }
};

const fail = (step: string, why: string): never => {
  throw new Error(`the canary failed at ${step}: ${why}`);
};
