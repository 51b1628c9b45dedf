import { Agent, request } from 'node:http';

export interface Http extends Disposable {
  /** @throws Error for any answer that is not 200 */
  get(url: string): Promise<string>;
  postJson(url: string, body: string): Promise<string>;
}

/** A client that costs little and keeps its connections. */
export const httpClient = (): Http => {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, url: string, body = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = body === '' ? {} : { 'content-type': 'application/json', accept: ACCEPT };
      const outgoing = request(url, { method, agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (text += chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${url} answered ${answer.statusCode}: ${text}`)),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return {
    get: (url) => send('GET', url),
    postJson: (url, body) => send('POST', url, body),
    [Symbol.dispose]: () => agent.destroy(),
  };
};

/** What MCP clients say. */
const ACCEPT = 'application/json, text/event-stream';
