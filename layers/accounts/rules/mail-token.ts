import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';

const TOKEN = /^([\da-f]{64})\.([\w-]{43})$/;

/**
 * The token of a mail's link: by the hash of the address it is found, by the secret it is proven.
 *
 * @param email - canonical
 */
export const writeMailToken = (email: string, secret: string): string =>
  `${fingerprint(email)}.${secret}`;

/** @returns undefined for what can be no token */
export const readMailToken = (
  token: string,
): { readonly address: Fingerprint; readonly secret: Fingerprint } | undefined => {
  const [, address, secret] = TOKEN.exec(token) ?? [];
  if (address === undefined || secret === undefined) return undefined;
  return { address: address as Fingerprint, secret: fingerprint(secret) };
};
