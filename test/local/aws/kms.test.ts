import { createHash, createPublicKey, verify } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
let kms: KMSClient;
let encryptionKey: string;
let signingKey: string;

beforeAll(async () => {
  aws = await startTestAws();
  kms = aws.client(KMSClient);
  ({ credentialsKey: encryptionKey, signingKey } = aws);
});
afterAll(() => aws.stop());

const EncryptionContext = { deployment: '1', purpose: 'test' };

const aDataKey = async (KeyId = encryptionKey) => {
  const command = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext });
  const { CiphertextBlob, Plaintext } = await kms.send(command);
  return { wrapped: Buffer.from(CiphertextBlob!), plain: Buffer.from(Plaintext!) };
};
const decrypt = async (
  CiphertextBlob: Uint8Array,
  context: Record<string, string> | undefined = EncryptionContext,
  KeyId = encryptionKey,
) => {
  const { Plaintext } = await kms.send(
    new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext: context }),
  );
  return Buffer.from(Plaintext!);
};

describe('a data key of the embedded KMS', () => {
  test('has 256 bits, and decrypts to itself', async () => {
    const { wrapped, plain } = await aDataKey();

    expect(plain).toHaveLength(32);
    expect(await decrypt(wrapped)).toEqual(plain);
  });

  test('is another one each time, and not readable in its ciphertext', async () => {
    const one = await aDataKey();
    const other = await aDataKey();

    expect(one.plain.equals(other.plain)).toBe(false);
    expect(one.wrapped.includes(one.plain)).toBe(false);
  });

  test('is decrypted with its context in any order', async () => {
    const { wrapped, plain } = await aDataKey();
    const reversed = Object.fromEntries(Object.entries(EncryptionContext).reverse());

    expect(await decrypt(wrapped, reversed)).toEqual(plain);
  });

  test.each([
    ['has another value', { ...EncryptionContext, purpose: 'other' }],
    ['lacks a name', { deployment: '1' }],
    ['is empty', {}],
  ])('is not decrypted when the context %s', async (_, context) => {
    const { wrapped } = await aDataKey();

    await expect(decrypt(wrapped, context)).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
  });

  test('is not decrypted when any part of its ciphertext is changed or missing', async () => {
    const { wrapped } = await aDataKey();
    const broken = [
      ...[0, 1, 17, 29, wrapped.length - 1].map((at) => {
        const changed = Buffer.from(wrapped);
        changed[at]! ^= 1;
        return changed;
      }),
      wrapped.subarray(0, -1),
      wrapped.subarray(0, 20),
      Buffer.from('not a ciphertext'),
    ];

    for (const ciphertext of broken) {
      await expect(decrypt(ciphertext)).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
  });

  test('is not decrypted with another key', async () => {
    const { wrapped } = await aDataKey();
    await aws.aws.createEncryptionKey('alias/another');

    await expect(decrypt(wrapped, EncryptionContext, 'alias/another')).rejects.toMatchObject({
      name: 'IncorrectKeyException',
    });
  });
});

describe('a signature of the embedded KMS', () => {
  const SigningAlgorithm = 'ECDSA_SHA_256';

  test('verifies with the public key, many times over, and with no other message', async () => {
    const { PublicKey, SigningAlgorithms } = await kms.send(
      new GetPublicKeyCommand({ KeyId: signingKey }),
    );
    const key = createPublicKey({ key: Buffer.from(PublicKey!), format: 'der', type: 'spki' });
    expect(SigningAlgorithms).toEqual([SigningAlgorithm]);

    for (let round = 0; round < 50; round += 1) {
      const message = Buffer.from(`message ${round}`);
      const { Signature } = await kms.send(
        new SignCommand({
          KeyId: signingKey,
          SigningAlgorithm,
          MessageType: 'DIGEST',
          Message: createHash('sha256').update(message).digest(),
        }),
      );
      expect(verify('sha256', message, key, Signature!)).toBe(true);
      expect(verify('sha256', Buffer.from('another'), key, Signature!)).toBe(false);
    }
  });
});

describe('keys of the embedded KMS', () => {
  test('are made once under an alias', async () => {
    const { wrapped, plain } = await aDataKey();

    await aws.aws.createEncryptionKey(encryptionKey);

    expect(await decrypt(wrapped)).toEqual(plain);
  });

  test('lie on disk for the owner only', async () => {
    const folder = join(aws.dataFolder, 'kms');
    const files = await readdir(folder);

    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
      expect(await readFile(join(folder, file), 'utf8')).toContain('material');
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});

describe('the embedded KMS', () => {
  const digest = createHash('sha256').digest();
  const sign = (more: object) =>
    new SignCommand({
      KeyId: signingKey,
      Message: digest,
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
      ...more,
    });
  const generate = (more: object) =>
    new GenerateDataKeyCommand({ KeyId: encryptionKey, KeySpec: 'AES_256', ...more });
  test.each([
    ['an unknown alias', () => generate({ KeyId: 'alias/none' }), 'NotFoundException'],
    [
      'an unknown id',
      () => generate({ KeyId: '00000000-0000-4000-8000-000000000000' }),
      'NotFoundException',
    ],
    [
      'a data key of a signing key',
      () => generate({ KeyId: signingKey }),
      'InvalidKeyUsageException',
    ],
    [
      'to sign with a symmetric key',
      () => sign({ KeyId: encryptionKey }),
      'InvalidKeyUsageException',
    ],
    [
      'the public half of a symmetric key',
      () => new GetPublicKeyCommand({ KeyId: encryptionKey }),
      'InvalidKeyUsageException',
    ],
    ['another algorithm', () => sign({ SigningAlgorithm: 'ECDSA_SHA_384' }), 'ValidationException'],
    ['a digest that is none', () => sign({ Message: Buffer.alloc(31) }), 'ValidationException'],
    ['to hash a message itself', () => sign({ MessageType: 'RAW' }), 'ValidationException'],
    ['a data key of 128 bits', () => generate({ KeySpec: 'AES_128' }), 'ValidationException'],
    ['a data key without a size', () => generate({ KeySpec: undefined }), 'ValidationException'],
    ['a dry run', () => generate({ DryRun: true }), 'ValidationException'],
    [
      'what production does not call',
      () => new EncryptCommand({ KeyId: encryptionKey, Plaintext: digest }),
      'UnknownOperationException',
    ],
  ])('refuses %s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(kms.send(command() as DecryptCommand)).rejects.toMatchObject({ name });
  });
});
