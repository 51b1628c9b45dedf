import { randomBytes } from 'node:crypto';
import {
  blob,
  choice,
  invalid,
  optionalNumber,
  optionalObject,
  optionalText,
  text,
} from '../wire/fields.ts';
import type { Json, JsonOperation } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import { type EncryptionContext, keyOf, seal, unseal } from './envelope.ts';
import type { KeyStore } from './key-store.ts';
import { base64, runForReal, sized, usable } from './usage.ts';

/** What symmetric keys do. */
export const encryption = (keys: KeyStore): Record<string, JsonOperation> => {
  const symmetric = (input: Json) => usable(keys, text(input, 'KeyId'), 'SYMMETRIC_DEFAULT');
  const dataKey = (input: Json) => {
    runForReal(input);
    const size = choice(input, 'KeySpec', ['AES_256', 'AES_128']) === 'AES_256' ? 32 : 16;
    const bytes = optionalNumber(input, 'NumberOfBytes');
    const named = optionalText(input, 'KeySpec') !== undefined;
    if (named === (bytes !== undefined) || (bytes !== undefined && (bytes < 1 || bytes > 1024))) {
      throw invalid('Please specify either number of bytes, 1 to 1024, or key spec.');
    }
    const key = symmetric(input);
    const plaintext = randomBytes(bytes ?? size);
    const CiphertextBlob = base64(seal(key, plaintext, contextOf(input)));
    return { plaintext, sealed: { CiphertextBlob, KeyId: key.arn } };
  };

  return {
    Encrypt: async (input) => {
      runForReal(input);
      const EncryptionAlgorithm = choice(input, 'EncryptionAlgorithm', ['SYMMETRIC_DEFAULT']);
      const plaintext = sized(blob(input, 'Plaintext'), 'Plaintext');
      const key = symmetric(input);
      const CiphertextBlob = base64(seal(key, plaintext, contextOf(input)));
      return { CiphertextBlob, KeyId: key.arn, EncryptionAlgorithm };
    },
    Decrypt: async (input) => {
      runForReal(input);
      const EncryptionAlgorithm = choice(input, 'EncryptionAlgorithm', ['SYMMETRIC_DEFAULT']);
      const ciphertext = blob(input, 'CiphertextBlob');
      const expected = optionalText(input, 'KeyId') === undefined ? undefined : symmetric(input);
      if (expected && keyOf(keys, ciphertext).id !== expected.id) {
        throw new AwsRefusal(
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        );
      }
      const { key, plaintext } = unseal(keys, ciphertext, contextOf(input));
      return { Plaintext: base64(plaintext), KeyId: key.arn, EncryptionAlgorithm };
    },
    GenerateDataKey: async (input) => {
      const { plaintext, sealed } = dataKey(input);
      return { ...sealed, Plaintext: base64(plaintext) };
    },
    GenerateDataKeyWithoutPlaintext: async (input) => dataKey(input).sealed,
  };
};

const contextOf = (input: Json): EncryptionContext => {
  const context = optionalObject(input, 'EncryptionContext') ?? {};
  for (const name of Object.keys(context)) text(context, name);
  return context as EncryptionContext;
};
