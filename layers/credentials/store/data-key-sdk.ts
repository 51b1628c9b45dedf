/** A module of its own, so that functions without encryption do not load these commands. */
export { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
