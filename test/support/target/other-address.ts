import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An address of loopback besides 127.0.0.1: Linux takes each of them for one's own. */
export const otherAddress = (last: number): string => `127.0.0.${last}`;

/** A request whose connection comes from another address. Redirects are not followed. */
export const fetchFrom = (address: string, url: string, sent: Sent = {}): Promise<Response> => {
  const { method = 'GET', headers = {}, body } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const options = { method, headers, localAddress: address, agent: false };
  const asked = request(url, options, (answer) => {
    const { statusCode: status = 0, headers: told } = answer;
    const named = Object.entries(told).map(([name, value]) => [name, String(value)] as const);
    text(answer)
      .then((content) => {
        const isEmpty = status === 204 || status === 304;
        const headers = named.map(([name, value]): [string, string] => [name, value]);
        resolve(new Response(isEmpty ? null : content, { status, headers }));
      })
      .catch(reject);
  });
  asked.on('error', reject);
  asked.end(body);
  return promise;
};
