/** Stores that a stage may keep credentials in; the first is the default. */
export const CREDENTIAL_STORES = ['envelope', 'secrets-manager'] as const;

export type CredentialStore = (typeof CREDENTIAL_STORES)[number];

/** @throws Error that says what is wrong, in words for the operator */
export const readCredentialStore = (text = ''): CredentialStore => {
  const store = CREDENTIAL_STORES.find((one) => one === text);
  if (store) return store;
  throw new Error(`write ${CREDENTIAL_STORES.join(' or ')}`);
};

/** @returns undefined if empty @throws Error */
export const readFormerCredentialStore = (text = ''): CredentialStore | undefined =>
  text === '' ? undefined : readCredentialStore(text);

/** Prefix of the secrets that the function `connections` alone may read. @param prefix - of all others */
export const connectedPrefix = (prefix: string): string => `${prefix}-connected`;
