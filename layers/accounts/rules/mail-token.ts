import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';

const TOKEN = /^([\da-f]{64})\.([\w-]{43})$/;

/** Token in a mail's link: found by the hash of the address, verified by the secret. @param email - canonical */
export const writeMailToken = (email: string, secret: string): string =>
  `${fingerprint(email)}.${secret}`;

/** @returns undefined for text that does not have the form of a token */
export const readMailToken = (
  token: string,
): { readonly address: Fingerprint; readonly secret: Fingerprint } | undefined => {
  const [, address, secret] = TOKEN.exec(token) ?? [];
  if (address === undefined || secret === undefined) return undefined;
  return { address: address as Fingerprint, secret: fingerprint(secret) };
};
