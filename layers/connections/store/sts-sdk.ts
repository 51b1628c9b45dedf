/** What is used of the SDK, for one import on demand: from all of the package, nothing could be left out. */
export { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
