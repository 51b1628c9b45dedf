/** What is used of the SDK, for one import on demand: of the whole package, nothing could be left out. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
