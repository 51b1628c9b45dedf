import { describe, expect, test } from '@jest/globals';
import { lostLogins } from '../../../layers/credentials/rules/deployment-credential.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';

const index = toToolIndex(compiled(JSON.parse(JSON.stringify(aDescription()))).tools);
const set = { origins: [], version: 'v1', setAt: 0, token: '/token' };
const signingInBy = (login: string) => ({
  credential: { type: 'bearer', ...set } as const,
  credentials: { partner: { type: 'session', login, ...set } as const },
});

describe('a login that a version has no more', () => {
  test('is told with the credential that signs in by it', () => {
    expect(lostLogins(index, signingInBy('POST /sessions'))).toMatchObject([
      { where: '/credentials/partner', what: expect.stringContaining('POST /sessions') },
    ]);
  });

  test('is nothing to tell while the version has it, or nobody signs in', () => {
    expect(lostLogins(index, signingInBy('GET /listPets'))).toEqual([]);
    expect(lostLogins(index, {})).toEqual([]);
  });
});
