/** Named exports for an import on demand: of a whole package so imported, the bundler could drop nothing. */
export { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
