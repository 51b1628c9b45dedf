/** The only SDK exports in use, re-exported so that bundling with a dynamic import can drop the rest of the package. */
export { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
