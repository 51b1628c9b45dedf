import { type AwsAccess, faultOf, sdkClient } from '../aws/access.ts';

export type Kms = Awaited<ReturnType<ReturnType<typeof kmsClient>>>;

export const kmsClient = (access: AwsAccess) =>
  sdkClient(
    () => import('./sdk.ts'),
    (sdk, settings) => new sdk.KMSClient(settings),
    access,
    { answerMs: 3000 },
  );

export const kmsFault = faultOf('kms');
