/** Where a stage may keep the credentials of its deployments; the first by default. */
export const CREDENTIAL_STORES = ['envelope', 'secrets-manager'] as const;

export type CredentialStore = (typeof CREDENTIAL_STORES)[number];

/** What names of secrets begin with that the function `connections` alone may read. @param prefix - of the others */
export const connectedPrefix = (prefix: string): string => `${prefix}-connected`;
