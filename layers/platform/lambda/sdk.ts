/** Re-exports the SDK's parts in use: of a dynamically imported package, the bundler could drop nothing. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
