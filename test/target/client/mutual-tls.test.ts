import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificateFindings } from '../../../layers/credentials/rules/client-certificate.ts';
import { targetApi } from '../../../layers/target/client/target-api.ts';
import type { SentCredential } from '../../../layers/target/rules/credential.ts';
import { withCredential } from '../../../layers/tools/request/build-request.ts';
import { certificate } from '../../support/target/target-server.ts';

const privateKey = readFileSync(
  new URL('../../support/tls/localhost.key.pem', import.meta.url),
  'utf8',
);

/** Says who it was shown, and on which connection. */
const server = createServer(
  {
    cert: certificate,
    key: privateKey,
    ca: certificate,
    requestCert: true,
    rejectUnauthorized: false,
  },
  ({ socket }, response) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate();
    response.end(JSON.stringify({ shown: subject?.CN ?? 'nobody', port: socket.remotePort }));
  },
);
const client = targetApi({
  policy: { loopback: { exceptPorts: [] } },
  timeoutSeconds: 5,
  maxBytes: 1000,
});
const defaults = tls.getCACertificates('default');
beforeAll(async () => {
  tls.setDefaultCACertificates([certificate]);
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready));
});
afterAll(() => {
  client.close();
  server.close();
  tls.setDefaultCACertificates(defaults);
});

const addressOf = (scheme = 'https') =>
  `${scheme}://localhost:${(server.address() as AddressInfo).port}`;

const send = async (isShown: boolean, scheme?: string) => {
  const url = addressOf(scheme);
  const request = { method: 'GET', url: `${url}/x`, headers: {} };
  const credential: SentCredential = {
    type: 'mutual_tls',
    certificate,
    privateKey,
    origins: [new URL(url).origin],
  };
  const sent = isShown ? withCredential(request, credential) : request;
  const { body } = await client.send('dep-1', sent);
  return JSON.parse(Buffer.from(body).toString());
};

describe('a client certificate', () => {
  test('is shown by the connection, which no request without it uses', async () => {
    const first = await send(true);
    const without = await send(false);
    const second = await send(true);

    expect([first.shown, without.shown, second.shown]).toEqual([
      'localhost',
      'nobody',
      'localhost',
    ]);
    expect(second.port).toBe(first.port);
    expect(without.port).not.toBe(first.port);
  });

  test('is for https alone', async () => {
    await expect(send(true, 'http')).rejects.toMatchObject({ reason: 'tls_failure' });
  });

  test.each<[string, object, string]>([
    ['another key', { privateKey: otherKey() }, '/private_key'],
    ['no certificate', { certificate: 'CANARY' }, '/certificate'],
    ['no key', { privateKey: 'CANARY' }, '/private_key'],
    ['an endless chain', { certificate: certificate.repeat(100) }, '/certificate'],
  ])('is not set with %s', (_, over, where) => {
    const findings = certificateFindings({ type: 'mutual_tls', certificate, privateKey, ...over });

    expect(findings).toMatchObject([{ where }]);
    expect(JSON.stringify(findings)).not.toContain('CANARY');
    expect(certificateFindings({ type: 'mutual_tls', certificate, privateKey })).toEqual([]);
  });
});

function otherKey(): string {
  const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return other.export({ type: 'pkcs8', format: 'pem' }).toString();
}
