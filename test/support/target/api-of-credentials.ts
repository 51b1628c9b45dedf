import { anHttpServer, type TargetServer } from './target-server.ts';

/**
 * An API that notes the `Authorization` of each request, with a token endpoint whose tokens are the secret of the client.
 *
 * @param carried - gets what was sent, by path without its slash
 */
export const anApiOfCredentials = (
  carried: Map<string, string | undefined>,
): Promise<TargetServer> =>
  anHttpServer(({ url = '', headers, body }, response) => {
    if (url === '/token') {
      // Ends at once, so that each call needs the secret again.
      const secret = new URLSearchParams(`${body}`).get('client_secret');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: secret, token_type: 'Bearer', expires_in: 1 }));
      return;
    }
    carried.set(url.slice(1), headers.authorization);
    response.end('done');
  });
