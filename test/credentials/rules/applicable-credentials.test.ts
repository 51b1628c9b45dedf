import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applicableCredentials } from '../../../layers/credentials/rules/deployment-credential.ts';

const HERE = 'https://api.example.com';
const THERE = 'https://other.example.com';

interface Named {
  readonly name: string;
  readonly origins: readonly string[];
  readonly schemes?: readonly string[];
}

const one = (name: string, schemes?: readonly string[], origins = [HERE]): Named => ({
  name,
  origins,
  ...(schemes && { schemes }),
});
const going = (credentials: readonly Named[], security?: readonly (readonly string[])[]) =>
  applicableCredentials(
    credentials,
    { serverUrl: `${HERE}/v1`, ...(security && { security }) },
    (credential) => credential,
  ).map(({ name }) => name);

describe('the credentials that go with a call', () => {
  test('are one that is alone and names no scheme, whatever the description says', () => {
    for (const security of [undefined, [], [['login']]]) {
      expect(going([one('main', undefined, [THERE])], security)).toEqual(['main']);
    }
  });

  test('are all that are meant for the host, where none names schemes', () => {
    const all = [one('main'), one('app'), one('elsewhere', undefined, [THERE])];

    expect(going(all, [['login']])).toEqual(['main', 'app']);
  });

  test('are all of them, so that the call is refused, where none is meant for the host', () => {
    const all = [one('main', undefined, [THERE]), one('app', undefined, [THERE])];

    expect(going(all)).toEqual(['main', 'app']);
  });

  test.each<[string, readonly (readonly string[])[] | undefined, readonly string[]]>([
    ['those of an alternative together', [['appId', 'appKey']], ['id', 'key']],
    ['the first alternative that is satisfied whole', [['appId', 'x'], ['login']], ['user']],
    ['one that asks for nothing, only where no other is satisfied', [[], ['login']], ['user']],
    ['none for one that asks for nothing alone', [[], ['x']], []],
    ['none where the operation takes calls as they are', [], []],
    ['that without schemes where no alternative is satisfied', [['x'], ['y', 'appId']], ['main']],
    ['that without schemes where the description says nothing', undefined, ['main']],
  ])('are %s', (_, security, expected) => {
    const all = [one('main'), one('id', ['appId']), one('key', ['appKey']), one('user', ['login'])];

    expect(going(all, security)).toEqual(expected);
  });

  test('are never others than those of the deployment, and each once', () => {
    const scheme = fc.constantFrom('a', 'b', 'c', 'd');
    const origins = fc.subarray([HERE, THERE], { minLength: 1 });
    const credentials = fc
      .array(fc.record({ origins, schemes: fc.option(fc.array(scheme), { nil: undefined }) }), {
        maxLength: 5,
      })
      .map((all) => all.map((its, index) => ({ name: `n${index}`, ...its })));
    const security = fc.option(fc.array(fc.uniqueArray(scheme, { maxLength: 3 })), {
      nil: undefined,
    });
    fc.assert(
      fc.property(credentials, security, (all, wanted) => {
        const chosen = going(all as readonly Named[], wanted);

        expect(new Set(chosen).size).toBe(chosen.length);
        // What names schemes goes with no call that wants none of them.
        if (!wanted || all.every(({ schemes }) => !schemes)) return;
        const asked = new Set(wanted.flat());
        for (const { name, schemes } of all) {
          if (!schemes || !chosen.includes(name)) continue;
          expect(schemes.some((its) => asked.has(its))).toBe(true);
        }
      }),
    );
  });
});
