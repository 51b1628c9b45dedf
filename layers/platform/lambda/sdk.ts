/** The only SDK exports in use, re-exported so that bundling with a dynamic import can drop the rest of the package. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
