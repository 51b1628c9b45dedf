import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { readBody } from '../../local/read-body.ts';

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());

/** The body as it is read of a request that says 10 bytes, and sends these. */
const bodyOf = async (sent: string, maxBytes = 10): Promise<Buffer | undefined> => {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  const requested = once(server, 'request');
  client.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n${sent}`);
  const [request] = (await requested) as [IncomingMessage];
  const body = readBody(request, maxBytes);
  client.end();
  return body;
};

test('a body is read to its end', async () => {
  expect(String(await bodyOf('0123456789'))).toBe('0123456789');
});

test('a body that is larger than it may be is none', async () => {
  expect(await bodyOf('0123456789', 9)).toBeUndefined();
});

test.each(['', '01234'])(
  'a client that goes away within its body (%j) is an error',
  async (sent) => {
    await expect(bodyOf(sent)).rejects.toThrow();
  },
);
