/** The only file that loads the AWS SDK, so that only `admin` and sign-ins by a role of AWS wait for it. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
export { SignatureV4 } from '@smithy/signature-v4';
