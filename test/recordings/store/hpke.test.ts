import { describe, expect, test } from '@jest/globals';
import { generateKeyPair, opener, sealer } from '../../../layers/recordings/store/hpke.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const base64url = (text: string): string => hex(text).toString('base64url');

/** RFC 9180 A.1.1. */
const VECTOR = {
  info: hex('4f6465206f6e2061204772656369616e2055726e'),
  ephemeral: {
    publicKey: base64url('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'),
    privateKey: base64url('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736'),
  },
  receiver: {
    publicKey: base64url('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d'),
    privateKey: base64url('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'),
  },
  plain: hex('4265617574792069732074727574682c20747275746820626561757479'),
  sealed: [
    [
      0,
      'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
    ],
    [
      1,
      'af2d7e9ac9ae7e270f46ba1f975be53c09f8d875bdc8535458c2494e8a6eab251c03d0c22a56b8ca42c2063b84',
    ],
  ],
} as const;

describe('sealing', () => {
  test.each(VECTOR.sealed)('gives the bytes of RFC 9180 for message %d', (sequence, expected) => {
    const { info, ephemeral, receiver, plain } = VECTOR;
    const { encapsulated, seal } = sealer(receiver.publicKey, info, ephemeral);
    const associated = Buffer.from(`Count-${sequence}`);
    const sealed = seal(sequence, plain, associated);
    expect(Buffer.from(sealed).toString('hex')).toBe(expected);
    expect(opener(receiver, encapsulated, info)(sequence, sealed, associated)).toEqual(plain);
  });

  test('can be opened by the holder of the private key alone', () => {
    const [pair, other] = [generateKeyPair(), generateKeyPair()];
    const info = Buffer.from('test');
    const { encapsulated, seal } = sealer(pair.publicKey, info);
    const sealed = seal(0, Buffer.from('hello'), info);
    expect(opener(pair, encapsulated, info)(0, sealed, info).toString()).toBe('hello');
    expect(() => opener(other, encapsulated, info)(0, sealed, info)).toThrow();
  });

  const [ONE, OTHER] = [Buffer.from('one'), Buffer.from('other')];
  test.each([
    ['another number', 1, ONE, ONE],
    ['other associated data', 0, OTHER, ONE],
    ['another purpose', 0, ONE, OTHER],
  ])('is not opened with %s', (_, sequence, associated, info) => {
    const pair = generateKeyPair();
    const { encapsulated, seal } = sealer(pair.publicKey, ONE);
    const sealed = seal(0, Buffer.from('hello'), ONE);
    expect(() => opener(pair, encapsulated, info)(sequence, sealed, associated)).toThrow();
  });

  test('is not opened where a byte of it is another one', () => {
    const pair = generateKeyPair();
    const { encapsulated, seal } = sealer(pair.publicKey, ONE);
    const sealed = Buffer.from(seal(0, Buffer.from('hello'), ONE));
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => opener(pair, encapsulated, ONE)(0, changed, ONE)).toThrow();
    }
  });
});
