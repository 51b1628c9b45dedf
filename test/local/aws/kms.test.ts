import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateAliasCommand,
  CreateKeyCommand,
  type CreateKeyCommandInput,
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  GetPublicKeyCommand,
  KMSClient,
  ListAliasesCommand,
  ListKeysCommand,
  ScheduleKeyDeletionCommand,
  SignCommand,
  VerifyCommand,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signDigest, verifyDigest } from '../../../local/aws/kms/ecdsa.ts';
import { startTestAws, type TestAws } from '../../support/aws.ts';

let aws: TestAws;
let kms: KMSClient;
let symmetric: { KeyId: string; Arn: string };
let signing: { KeyId: string; Arn: string };

const createKey = async (sent: CreateKeyCommandInput) => {
  const { KeyMetadata } = await kms.send(new CreateKeyCommand(sent));
  return { KeyId: KeyMetadata!.KeyId!, Arn: KeyMetadata!.Arn! };
};

beforeAll(async () => {
  aws = await startTestAws();
  kms = aws.client(KMSClient);
  symmetric = await createKey({ Description: 'data' });
  signing = await createKey({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
  await kms.send(
    new CreateAliasCommand({ AliasName: 'alias/test/data', TargetKeyId: symmetric.KeyId }),
  );
});
afterAll(() => aws.stop());

const text = Buffer.from('a secret');
const EncryptionContext = { SecretARN: 'arn:1', purpose: 'test' };

const encrypt = async (KeyId = symmetric.KeyId, context = EncryptionContext) => {
  const command = new EncryptCommand({ KeyId, Plaintext: text, EncryptionContext: context });
  return (await kms.send(command)).CiphertextBlob!;
};

describe('encrypting with the embedded KMS', () => {
  test.each([
    ['id', () => symmetric.KeyId],
    ['ARN', () => symmetric.Arn],
    ['alias', () => 'alias/test/data'],
    ['alias ARN', () => 'arn:aws:kms:us-east-1:000000000000:alias/test/data'],
  ])('works with a key by its %s, and decrypting needs no name', async (_, reference) => {
    const CiphertextBlob = await encrypt(reference());

    const decrypted = await kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));

    expect(Buffer.from(decrypted.Plaintext!)).toEqual(text);
    expect(decrypted.KeyId).toBe(symmetric.Arn);
  });

  test('gives another ciphertext each time, without the plaintext in it', async () => {
    const one = Buffer.from(await encrypt());

    expect(one.equals(Buffer.from(await encrypt()))).toBe(false);
    expect(one.includes(text)).toBe(false);
  });

  test('takes the context in any order', async () => {
    const CiphertextBlob = await encrypt();
    const reversed = Object.fromEntries(Object.entries(EncryptionContext).reverse());

    const command = new DecryptCommand({ CiphertextBlob, EncryptionContext: reversed });

    expect(Buffer.from((await kms.send(command)).Plaintext!)).toEqual(text);
  });

  test('gives data keys that decrypt to themselves', async () => {
    const KeyId = symmetric.KeyId;
    const full = await kms.send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }),
    );
    const bare = await kms.send(
      new GenerateDataKeyWithoutPlaintextCommand({ KeyId, NumberOfBytes: 24 }),
    );

    const fromFull = await kms.send(
      new DecryptCommand({ CiphertextBlob: full.CiphertextBlob, EncryptionContext }),
    );
    const fromBare = await kms.send(new DecryptCommand({ CiphertextBlob: bare.CiphertextBlob }));

    expect(full.Plaintext).toHaveLength(32);
    expect(fromFull.Plaintext).toEqual(full.Plaintext);
    expect(bare).not.toHaveProperty('Plaintext');
    expect(fromBare.Plaintext).toHaveLength(24);
  });

  test.each([
    ['the context has another value', { ...EncryptionContext, purpose: 'other' }],
    ['the context lacks a name', { SecretARN: 'arn:1' }],
    ['the context is missing', undefined],
  ])('is not undone when %s', async (_, context) => {
    const CiphertextBlob = await encrypt();

    const command = new DecryptCommand({
      CiphertextBlob,
      ...(context && { EncryptionContext: context }),
    });

    await expect(kms.send(command)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  test('is not undone when any part of the ciphertext is changed or missing', async () => {
    const good = Buffer.from(await encrypt());
    const broken = [
      ...[0, 1, 17, 29, good.length - 1].map((at) => {
        const changed = Buffer.from(good);
        changed[at]! ^= 1;
        return changed;
      }),
      good.subarray(0, -1),
      good.subarray(0, 20),
      Buffer.from('not a ciphertext'),
    ];

    for (const CiphertextBlob of broken) {
      await expect(
        kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext })),
      ).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    }
  });

  test('is not undone with another key than the one that is named', async () => {
    const CiphertextBlob = await encrypt();
    const { KeyId } = await createKey({});

    await expect(
      kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext, KeyId })),
    ).rejects.toMatchObject({ name: 'IncorrectKeyException' });
  });
});

describe('signing with the embedded KMS', () => {
  const SigningAlgorithm = 'ECDSA_SHA_256';
  const digest = createHash('sha256').update(text).digest();
  const signed = [
    ['a message', { Message: text, MessageType: 'RAW' }],
    ['a digest', { Message: digest, MessageType: 'DIGEST' }],
  ] as const;

  test.each(signed)('%s verifies with the public key', async (_, message) => {
    const KeyId = signing.KeyId;
    const { PublicKey, SigningAlgorithms } = await kms.send(new GetPublicKeyCommand({ KeyId }));

    const { Signature } = await kms.send(new SignCommand({ KeyId, SigningAlgorithm, ...message }));

    const key = createPublicKey({ key: Buffer.from(PublicKey!), format: 'der', type: 'spki' });
    expect(SigningAlgorithms).toEqual([SigningAlgorithm]);
    expect(verify('sha256', text, key, Signature!)).toBe(true);
  });

  test.each(signed)('%s verifies with the KMS in either form', async (_, message) => {
    const KeyId = signing.KeyId;
    const { Signature } = await kms.send(new SignCommand({ KeyId, SigningAlgorithm, ...message }));

    for (const [, other] of signed) {
      const command = new VerifyCommand({ KeyId, SigningAlgorithm, Signature, ...other });
      expect((await kms.send(command)).SignatureValid).toBe(true);
    }
  });

  test.each(signed)('%s does not verify with what was not signed', async (_, message) => {
    const KeyId = signing.KeyId;
    const { Signature } = await kms.send(new SignCommand({ KeyId, SigningAlgorithm, ...message }));
    const others = [
      { Message: Buffer.from('another'), MessageType: 'RAW', Signature },
      { Message: createHash('sha256').digest(), MessageType: 'DIGEST', Signature },
      { ...message, Signature: Buffer.from('not a signature') },
      { ...message, Signature: Buffer.concat([Signature!, Buffer.of(0)]) },
    ] as const;

    for (const other of others) {
      await expect(
        kms.send(new VerifyCommand({ KeyId, SigningAlgorithm, ...other })),
      ).rejects.toMatchObject({ name: 'KMSInvalidSignatureException' });
    }
  });

  test('digests agrees with signing messages, many times over', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

    for (let round = 0; round < 20; round += 1) {
      const message = Buffer.from(`message ${round}`);
      const hash = createHash('sha256').update(message).digest();
      expect(verify('sha256', message, publicKey, signDigest(privateKey, hash))).toBe(true);
      expect(verifyDigest(privateKey, hash, sign('sha256', message, privateKey))).toBe(true);
    }
  });
});

describe('keys of the embedded KMS', () => {
  test('are described and listed', async () => {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: 'alias/test/data' }));
    const { Keys } = await kms.send(new ListKeysCommand({}));
    const { Aliases } = await kms.send(new ListAliasesCommand({ KeyId: symmetric.KeyId }));

    expect(KeyMetadata).toMatchObject({
      Arn: symmetric.Arn,
      Description: 'data',
      KeyUsage: 'ENCRYPT_DECRYPT',
      KeySpec: 'SYMMETRIC_DEFAULT',
      KeyState: 'Enabled',
      CreationDate: expect.any(Date),
    });
    expect(Keys?.map(({ KeyId }) => KeyId)).toContain(signing.KeyId);
    expect(Aliases).toMatchObject([{ AliasName: 'alias/test/data', TargetKeyId: symmetric.KeyId }]);
  });

  test('lie on disk for the owner only', async () => {
    const folder = join(aws.dataFolder, 'kms');
    for (const file of await readdir(folder)) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(join(folder, `${signing.KeyId}.json`), 'utf8')).toContain('material');
  });
});

describe('the embedded KMS refuses', () => {
  const KeyId = 'alias/test/data';
  const unknownId = '00000000-0000-4000-8000-000000000000';
  const SigningAlgorithm = 'ECDSA_SHA_256' as const;
  test.each([
    ['an unknown id', () => new DescribeKeyCommand({ KeyId: unknownId }), 'NotFoundException'],
    [
      'an unknown alias',
      () => new EncryptCommand({ KeyId: 'alias/x', Plaintext: text }),
      'NotFoundException',
    ],
    [
      'the ARN of another account',
      () =>
        new DescribeKeyCommand({ KeyId: symmetric.Arn.replace('000000000000', '111111111111') }),
      'NotFoundException',
    ],
    [
      'encrypting with a signing key',
      () => new EncryptCommand({ KeyId: signing.KeyId, Plaintext: text }),
      'InvalidKeyUsageException',
    ],
    [
      'signing with a symmetric key',
      () => new SignCommand({ KeyId, Message: text, SigningAlgorithm }),
      'InvalidKeyUsageException',
    ],
    [
      'the public half of a symmetric key',
      () => new GetPublicKeyCommand({ KeyId }),
      'InvalidKeyUsageException',
    ],
    [
      'another algorithm',
      () =>
        new SignCommand({ KeyId: signing.KeyId, Message: text, SigningAlgorithm: 'ECDSA_SHA_384' }),
      'ValidationException',
    ],
    [
      'a digest that is none',
      () =>
        new SignCommand({
          KeyId: signing.KeyId,
          Message: text,
          MessageType: 'DIGEST',
          SigningAlgorithm,
        }),
      'ValidationException',
    ],
    [
      'more than 4096 bytes',
      () => new EncryptCommand({ KeyId, Plaintext: Buffer.alloc(4097) }),
      'ValidationException',
    ],
    [
      'a data key without a size',
      () => new GenerateDataKeyCommand({ KeyId }),
      'ValidationException',
    ],
    [
      'a key for both',
      () => new CreateKeyCommand({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'ENCRYPT_DECRYPT' }),
      'ValidationException',
    ],
    [
      'another kind of key',
      () => new CreateKeyCommand({ KeySpec: 'RSA_2048' }),
      'ValidationException',
    ],
    [
      'an alias that is taken',
      () => new CreateAliasCommand({ AliasName: KeyId, TargetKeyId: symmetric.KeyId }),
      'AlreadyExistsException',
    ],
    [
      'an alias in the name of AWS',
      () => new CreateAliasCommand({ AliasName: 'alias/aws/x', TargetKeyId: symmetric.KeyId }),
      'InvalidAliasNameException',
    ],
    [
      'a dry run',
      () => new EncryptCommand({ KeyId, Plaintext: text, DryRun: true }),
      'ValidationException',
    ],
    [
      'what it does not implement',
      () => new ScheduleKeyDeletionCommand({ KeyId: symmetric.KeyId }),
      'UnknownOperationException',
    ],
  ])('%s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(kms.send(command() as DescribeKeyCommand)).rejects.toMatchObject({ name });
  });
});
