/** Where a stage may keep the credentials of its deployments; the first by default. */
export const CREDENTIAL_STORES = ['envelope', 'secrets-manager'] as const;

export type CredentialStore = (typeof CREDENTIAL_STORES)[number];
