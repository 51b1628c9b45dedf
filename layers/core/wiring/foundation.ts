import type * as z from 'zod/mini';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { stdoutLog } from '../adapters/log/stdout-log.ts';
import { s3Files } from '../adapters/s3/files.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { randomMint } from '../adapters/system/mint.ts';
import type { Settings } from '../ports.ts';
import type { shared } from './environment.ts';

/** What every function stands on. Nothing connects before it is used. */
export const foundation = (environment: z.output<z.ZodMiniObject<typeof shared>>) => {
  const clock = systemClock();
  const settings: Settings = { baseUrl: environment.BASE_URL, limits: environment.LIMITS };
  const us = {
    region: environment.AWS_REGION,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
      ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
    },
  };
  return {
    clock,
    mint: randomMint(),
    log: stdoutLog(clock),
    settings,
    dynamo: dynamoClient({ ...us, ...at(environment.AWS_ENDPOINT_URL_DYNAMODB) }),
    files: s3Files(
      { ...us, ...at(environment.AWS_ENDPOINT_URL_S3) },
      environment.DESCRIPTIONS_BUCKET,
    ),
  };
};

const at = (endpoint: string | undefined) => endpoint !== undefined && { endpoint };
