/** Owner's name for a credential: lower-case letters, digits and hyphens after a letter, 32 characters at most. */
export type CredentialName = string;

export const MAIN: CredentialName = 'main';

export const CREDENTIAL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
