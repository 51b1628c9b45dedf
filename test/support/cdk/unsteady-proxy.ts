import { createServer, request as httpRequest } from 'node:http';
import { listening } from '../target/listening.ts';

/** What becomes of a request: a status of its own, no answer at all, a broken connection, or an answer that is lost. */
export type Fate =
  | { readonly status: number; readonly retryAfter?: number }
  | 'silence'
  | 'broken'
  | 'answer lost';

/** Stands before a service that is down, slow or busy: each request has the next fate, and then they go through. */
export const startUnsteadyProxy = async (target: string) => {
  const { host, hostname, port: targetPort } = new URL(target);
  const fates: Fate[] = [];
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const { method, url } = request;
    const headers = { ...request.headers, host };
    seen.push(`${method} ${url}`);
    const fate = fates.shift();
    if (fate === 'silence') return;
    if (fate === 'broken') {
      request.socket.destroy();
      return;
    }
    if (typeof fate === 'object') {
      const { status, retryAfter } = fate;
      const waits = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
      response.writeHead(status, { 'content-type': 'application/problem+json', ...waits });
      response.end(JSON.stringify({ detail: `The service is busy (${status}).` }));
      return;
    }
    const onward = httpRequest({ hostname, port: targetPort, method, path: url, headers });
    request.pipe(onward);
    onward.on('error', () => request.socket.destroy());
    onward.on('response', (answer) => {
      if (fate === 'answer lost') {
        answer.resume();
        answer.on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  });
  const { url, stop } = await listening(server);
  return {
    fates,
    seen,
    baseUrl: `${url}${new URL(target).pathname}`,
    close: stop,
  };
};
