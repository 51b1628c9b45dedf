import { type AwsAccess, onDemand, patience } from '../aws/access.ts';

/** Loads the SDK at the first use. */
export const lambdaClient = (
  access: AwsAccess,
  { answerMs, maxAttempts }: { readonly answerMs: number; readonly maxAttempts: number },
) =>
  onDemand(async () => {
    const sdk = await import('./sdk.ts');
    const requestHandler = patience(answerMs);
    return { sdk, client: new sdk.LambdaClient({ ...access, maxAttempts, requestHandler }) };
  });
