import type * as z from 'zod/mini';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { kmsClient } from '../adapters/kms/client.ts';
import { stdoutLog } from '../adapters/log/stdout-log.ts';
import { s3Files } from '../adapters/s3/files.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { randomMint } from '../adapters/system/mint.ts';
import type { Settings } from '../ports.ts';
import type { bare, basic, shared, signing } from './environment.ts';

export type Given<Variables extends Readonly<Record<string, z.ZodMiniType>>> = z.output<
  z.ZodMiniObject<Variables>
>;

/** What every function stands on. Nothing connects before it is used. */
export const groundwork = (environment: Given<typeof bare>) => {
  const clock = systemClock();
  return {
    clock,
    mint: randomMint(),
    log: stdoutLog(clock),
    dynamo: dynamoClient({ ...us(environment), ...at(environment.AWS_ENDPOINT_URL_DYNAMODB) }),
  };
};

/** And the functions that are spoken to over HTTP. */
export const foundation = (environment: Given<typeof basic>) => {
  const settings: Settings = { baseUrl: environment.BASE_URL, limits: environment.LIMITS };
  return { ...groundwork(environment), settings };
};

/** The files beside the tables. */
export const descriptionFiles = (environment: Given<typeof shared>) =>
  s3Files(
    { ...us(environment), ...at(environment.AWS_ENDPOINT_URL_S3) },
    environment.DESCRIPTIONS_BUCKET,
  );

export const keyService = (
  environment: Given<typeof bare & Pick<typeof signing, 'AWS_ENDPOINT_URL_KMS'>>,
) => kmsClient({ ...us(environment), ...at(environment.AWS_ENDPOINT_URL_KMS) });

/** Who we are to AWS, and where. */
export const us = (environment: Given<typeof bare>) => ({
  region: environment.AWS_REGION,
  credentials: {
    accessKeyId: environment.AWS_ACCESS_KEY_ID,
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
    ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
  },
});

/** Without one: AWS itself. */
export const at = (endpoint: string | undefined) => endpoint !== undefined && { endpoint };
