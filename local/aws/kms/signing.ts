import { blob, choice, invalid, text } from '../wire/fields.ts';
import type { Json, JsonOperation } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import {
  privateKeyOf,
  publicKeyDer,
  signDigest,
  signMessage,
  verifyDigest,
  verifyMessage,
} from './ecdsa.ts';
import type { KeyStore } from './key-store.ts';
import { base64, runForReal, sized, usable, usageMembers } from './usage.ts';

/** What signing keys do. */
export const signing = (keys: KeyStore): Record<string, JsonOperation> => {
  const request = (input: Json) => {
    runForReal(input);
    const SigningAlgorithm = choice(input, 'SigningAlgorithm', ['ECDSA_SHA_256']);
    const message = sized(blob(input, 'Message'), 'Message');
    const isDigest = choice(input, 'MessageType', ['RAW', 'DIGEST']) === 'DIGEST';
    if (isDigest && message.length !== 32) throw invalid('Digest is invalid length for algorithm.');
    const { arn, material } = usable(keys, text(input, 'KeyId'), 'ECC_NIST_P256');
    const privateKey = privateKeyOf(Buffer.from(material, 'base64'));
    return { message, isDigest, privateKey, named: { KeyId: arn, SigningAlgorithm } };
  };

  return {
    Sign: async (input) => {
      const { message, isDigest, privateKey, named } = request(input);
      const signature = (isDigest ? signDigest : signMessage)(privateKey, message);
      return { ...named, Signature: base64(signature) };
    },
    Verify: async (input) => {
      const { message, isDigest, privateKey, named } = request(input);
      const signature = blob(input, 'Signature');
      if (!(isDigest ? verifyDigest : verifyMessage)(privateKey, message, signature)) {
        throw new AwsRefusal('KMSInvalidSignatureException', '');
      }
      return { ...named, SignatureValid: true };
    },
    GetPublicKey: async (input) => {
      const key = usable(keys, text(input, 'KeyId'), 'ECC_NIST_P256');
      return {
        KeyId: key.arn,
        PublicKey: base64(publicKeyDer(privateKeyOf(Buffer.from(key.material, 'base64')))),
        ...usageMembers(key),
      };
    },
  };
};
