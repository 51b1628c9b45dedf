/**
 * What the credentials of a deployment are called by their owner: lower-case letters, digits and hyphens after a
 * letter, 32 characters at most.
 */
export type CredentialName = string;

/** Of the one that a deployment has whose owner names none. */
export const MAIN: CredentialName = 'main';

export const CREDENTIAL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
