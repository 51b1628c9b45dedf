/** Apart from what the other functions use of the SDK, so that they do not carry it. */
export { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
