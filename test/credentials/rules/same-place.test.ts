import { expect, test } from '@jest/globals';
import type { DeploymentCredential } from '../../../layers/credentials/rules/deployment-credential.ts';
import { inSamePlace } from '../../../layers/credentials/rules/same-place.ts';

const set = (open: object): DeploymentCredential =>
  ({
    version: '1',
    setAt: 0,
    origins: ['https://api.example'],
    ...open,
  }) as unknown as DeploymentCredential;

const hmac = (headers: Readonly<Record<string, string>>) =>
  set({ type: 'hmac', algorithm: 'sha256', signed: '{method}', headers });
const SIGNED = hmac({ 'X-Signature': '{signature}', 'X-Key': '{key_id}' });

test.each([
  ['two recipes', hmac({ 'X-Other': '{signature}' }), 'the signature'],
  ['a recipe and a role of AWS', set({ type: 'aws' }), 'the signature'],
  [
    'a key in a header of a recipe that is not its signature',
    set({ type: 'api_key', in: 'header', name: 'x-key' }),
    'the header x-key',
  ],
])('one request does not carry %s, of which one would be left out', (_, other, place) => {
  expect(inSamePlace(['second', other], [['first', SIGNED]], [])).toEqual({
    other: 'first',
    place,
  });
});

test.each([
  ['a key elsewhere', set({ type: 'api_key', in: 'query', name: 'x-key' })],
  ['a token', set({ type: 'bearer' })],
  ['a certificate', set({ type: 'mutual_tls' })],
])('one request carries a recipe and %s', (_, other) => {
  expect(inSamePlace(['second', other], [['first', SIGNED]], [])).toBeUndefined();
});
