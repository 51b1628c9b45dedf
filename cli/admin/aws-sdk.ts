/** The one file of the command line that loads the AWS SDK, and only for `admin`: others need not wait for it. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
export { SignatureV4 } from '@smithy/signature-v4';
