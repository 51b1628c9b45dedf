/** The only file of the command line that loads the AWS SDK, so that only `admin` waits for it. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
export { SignatureV4 } from '@smithy/signature-v4';
