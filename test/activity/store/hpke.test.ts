import { randomBytes, randomInt } from 'node:crypto';
import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { describe, expect, test } from '@jest/globals';
import { generateKeyPair, opener, sealer } from '../../../layers/activity/store/hpke.ts';

const [ONE, OTHER] = [Buffer.from('one'), Buffer.from('other')];
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const base64url = (text: string): string => hex(text).toString('base64url');

/** RFC 9180 A.1.1, all of its encryptions; what is derived on the way there shows in each of their bytes. */
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
    [
      2,
      '498dfcabd92e8acedc281e85af1cb4e3e31c7dc394a1ca20e173cb72516491588d96a19ad4a683518973dcc180',
    ],
    [
      4,
      '583bd32bc67a5994bb8ceaca813d369bca7b2a42408cddef5e22f880b631215a09fc0012bc69fccaa251c0246d',
    ],
    [
      255,
      '7175db9717964058640a3a11fb9007941a5d1757fda1a6935c805c21af32505bf106deefec4a49ac38d71c9e0a',
    ],
    [
      256,
      '957f9800542b0b8891badb026d79cc54597cb2d225b54c00c5238c25d05c30e3fbeda97d2e0e1aba483a2df9f2',
    ],
  ],
} as const;

/** Points of X25519 whose product with every key is zero, with and without the bit that is ignored. */
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].flatMap((point) => {
  const top = (Number.parseInt(point.slice(-2), 16) | 0x80).toString(16);
  return [point, point.slice(0, -2) + top];
});

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes128Gcm(),
});
const bytesOf = (text: string): ArrayBuffer =>
  Uint8Array.from(Buffer.from(text, 'base64url')).buffer;
const theirKey = (text: string, isPublic: boolean) =>
  suite.kem.importKey('raw', bytesOf(text), isPublic);
const random = (most: number): Buffer => randomBytes(randomInt(most + 1));

describe('sealing', () => {
  test.each(VECTOR.sealed)('gives the bytes of RFC 9180 for message %d', (sequence, expected) => {
    const { info, ephemeral, receiver, plain } = VECTOR;
    const { encapsulated, seal } = sealer(receiver.publicKey, info, ephemeral);
    const associated = Buffer.from(`Count-${sequence}`);
    const sealed = seal(sequence, plain, associated);
    expect(Buffer.from(sealed).toString('hex')).toBe(expected);
    expect(opener(receiver, encapsulated, info)(sequence, sealed, associated)).toEqual(plain);
  });

  test('is opened by another implementation, and opens what that has sealed', async () => {
    for (let run = 0; run < 20; run += 1) {
      const pair = generateKeyPair();
      const info = random(64);
      const messages = Array.from({ length: 3 }, () => [random(5000), random(64)] as const);
      const ours = sealer(pair.publicKey, info);
      const recipient = await suite.createRecipientContext({
        recipientKey: await theirKey(pair.privateKey, false),
        enc: Uint8Array.from(ours.encapsulated),
        info,
      });
      const sender = await suite.createSenderContext({
        recipientPublicKey: await theirKey(pair.publicKey, true),
        info,
      });
      const open = opener(pair, new Uint8Array(sender.enc), info);
      for (const [at, [plain, associated]] of messages.entries()) {
        const opened = await recipient.open(ours.seal(at, plain, associated), associated);
        expect(Buffer.from(opened)).toEqual(plain);
        const sealed = new Uint8Array(await sender.seal(plain, associated));
        expect(open(at, sealed, associated)).toEqual(plain);
      }
    }
  });

  test.each(LOW_ORDER)('neither seals for the point %s, nor opens what came from it', (point) => {
    const pair = generateKeyPair();
    expect(() => sealer(base64url(point), ONE)).toThrow();
    expect(() => opener(pair, hex(point), ONE)).toThrow();
  });

  test.each([0, 1, 31, 33, 64])('takes no public key of %d bytes', (length) => {
    const bytes = Buffer.alloc(length, 9);
    expect(() => sealer(bytes.toString('base64url'), ONE)).toThrow();
    expect(() => opener(generateKeyPair(), bytes, ONE)).toThrow();
  });

  test('reads a sender of 32 bytes alone as one, the ignored bit of it too', () => {
    const pair = generateKeyPair();
    const { encapsulated, seal } = sealer(pair.publicKey, ONE);
    const sealed = seal(0, Buffer.from('hello'), ONE);
    const other = Buffer.from(encapsulated);
    other[31] = (other[31] ?? 0) ^ 0x80;
    expect(() => opener(pair, other, ONE)(0, sealed, ONE)).toThrow();
  });

  test('is not opened cut, not even to a tag that is shorter', () => {
    const pair = generateKeyPair();
    const { encapsulated, seal } = sealer(pair.publicKey, ONE);
    const open = opener(pair, encapsulated, ONE);
    for (const text of ['', 'hello']) {
      const sealed = seal(0, Buffer.from(text), ONE);
      expect(open(0, sealed, ONE).toString()).toBe(text);
      for (let length = 0; length < sealed.length; length += 1) {
        expect(() => open(0, sealed.subarray(0, length), ONE)).toThrow();
      }
      expect(() => open(0, Buffer.concat([sealed, Buffer.alloc(1)]), ONE)).toThrow();
    }
  });

  test('has a nonce for each number of 32 bits, and none for another', () => {
    const pair = generateKeyPair();
    const { encapsulated, seal } = sealer(pair.publicKey, ONE);
    const open = opener(pair, encapsulated, ONE);
    const numbers = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    const sealed = numbers.map((number) => seal(number, Buffer.from('hello'), ONE));
    expect(new Set(sealed.map((one) => Buffer.from(one).toString('hex'))).size).toBe(5);
    numbers.forEach((number, at) =>
      expect(open(number, sealed[at]!, ONE).toString()).toBe('hello'),
    );
    for (const none of [-1, 0.5, 2 ** 32, Number.NaN]) {
      expect(() => seal(none, Buffer.from('hello'), ONE)).toThrow(RangeError);
    }
  });

  test('can be opened by the holder of the private key alone', () => {
    const [pair, other] = [generateKeyPair(), generateKeyPair()];
    const info = Buffer.from('test');
    const { encapsulated, seal } = sealer(pair.publicKey, info);
    const sealed = seal(0, Buffer.from('hello'), info);
    expect(opener(pair, encapsulated, info)(0, sealed, info).toString()).toBe('hello');
    expect(() => opener(other, encapsulated, info)(0, sealed, info)).toThrow();
  });

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
