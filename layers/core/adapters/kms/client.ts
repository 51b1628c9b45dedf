import { type AwsAccess, faultOf, onDemand, patience } from '../aws/access.ts';

export type Kms = Awaited<ReturnType<ReturnType<typeof kmsClient>>>;

/** Milliseconds. */
const ANSWER_MS = 3000;

/** Loads the SDK at the first use. */
export const kmsClient = (access: AwsAccess) =>
  onDemand(async () => {
    const sdk = await import('./sdk.ts');
    const requestHandler = patience(ANSWER_MS);
    return { sdk, client: new sdk.KMSClient({ ...access, maxAttempts: 2, requestHandler }) };
  });

export const kmsFault = faultOf('kms');
