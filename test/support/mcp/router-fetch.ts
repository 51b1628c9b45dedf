import { anEvent } from './router-events.ts';
import type { TestRouter } from './router.ts';

/** `fetch` that reaches a router in this process, each request from an address of its own. */
export const routerFetch =
  (send: TestRouter['send']): typeof fetch =>
  async (input, init = {}) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === 'string' ? init.body : undefined;
    const event = anEvent(init.method ?? 'GET', pathname, {
      headers,
      ...(body !== undefined && { body }),
    });
    const { statusCode, headers: answered, body: text, isBase64Encoded } = await send(event);
    const bytes = Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8');
    const hasBody = statusCode !== 202 && statusCode !== 204;
    return new Response(hasBody ? bytes : null, { status: statusCode, headers: answered });
  };
