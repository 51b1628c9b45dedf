/** Re-exports the SDK's parts in use: of a dynamically imported package, the bundler could drop nothing. */
export { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
