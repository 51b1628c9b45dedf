import type * as z from 'zod/mini';
import { dynamoClient } from '../../layers/platform/dynamodb/client.ts';
import { dynamoSigningKeyRoles } from '../../layers/tokens/store/signing-key-roles.ts';
import { kmsClient } from '../../layers/platform/kms/client.ts';
import { kmsSigningKeys } from '../../layers/tokens/store/signing-keys.ts';
import { embeddedMetrics } from '../../layers/platform/log/embedded-metrics.ts';
import { reportFailures, stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { s3Files } from '../../layers/platform/s3/files.ts';
import { invocationTime, systemClock } from '../../layers/platform/system/clock.ts';
import { systemRandom } from '../../layers/platform/system/random.ts';
import type { Log } from '../../layers/platform/rules/log.ts';
import type { LogLevel } from '../../layers/platform/rules/log-level.ts';
import type { TimeLeft } from '../../layers/platform/rules/time-left.ts';
import type { bare, basic, shared, signing } from './environment.ts';

export type Given<Variables extends Readonly<Record<string, z.ZodMiniType>>> = z.output<
  z.ZodMiniObject<Variables>
>;

/** Ports of every function. Nothing connects before it is used. @param level - of the log; all lines if omitted */
export const commonPorts = (environment: Given<typeof bare>, level?: LogLevel) => {
  const clock = systemClock();
  const { METRICS_NAMESPACE: namespace } = environment;
  const metrics = namespace === undefined ? undefined : embeddedMetrics(namespace);
  const log = stdoutLog(clock, process.stdout, metrics, level);
  const timeLeft = reportFailures(invocationTime(), log);
  return {
    clock,
    timeLeft,
    random: systemRandom(),
    log,
    dynamo: dynamoClient(
      awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_DYNAMODB),
    ),
  };
};

export const httpPorts = (environment: Given<typeof basic>, level?: LogLevel) => {
  const { BASE_URL: baseUrl, ORIGIN_SECRETS: originSecrets } = environment;
  const place = { baseUrl, ...(originSecrets && { originSecrets }) };
  const ground = commonPorts(environment, level);
  const log = ofVersion(environment.AWS_LAMBDA_FUNCTION_VERSION, ground.log);
  return { ...ground, log, place };
};

/** Adds the function's version to each line: two versions run while a release is under way. */
const ofVersion = (version: string | undefined, log: Log): Log =>
  version === undefined
    ? log
    : { write: (record) => log.write({ ...record, function_version: version }) };

export const filesIn = (
  bucket: string,
  environment: Given<typeof bare & Pick<typeof shared, 'AWS_ENDPOINT_URL_S3'>>,
  timeLeft: TimeLeft,
) => s3Files(awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_S3), bucket);

export const keyService = (
  environment: Given<typeof bare & Pick<typeof signing, 'AWS_ENDPOINT_URL_KMS'>>,
  timeLeft: TimeLeft,
) => kmsClient(awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_KMS));

/** Keys for sessions, and for minted tokens. Each minting key rotates with the signing key at the same place. */
export const signingKeysIn = (
  environment: Given<typeof bare & typeof signing>,
  {
    clock,
    dynamo,
    timeLeft,
  }: Pick<ReturnType<typeof commonPorts>, 'clock' | 'dynamo' | 'timeLeft'>,
  oauthTable: string,
) => {
  const kms = keyService(environment, timeLeft);
  const register = dynamoSigningKeyRoles(dynamo, oauthTable, environment.SIGNING_KEY_IDS);
  const { SIGNING_KEY_IDS: signing, MINTING_KEY_IDS: minting } = environment;
  const signingKeys = kmsSigningKeys(kms, register, clock);
  const beside = (id: string): string => minting[signing.indexOf(id)] ?? '';
  const mintingKeys = kmsSigningKeys(kms, register, clock, beside);
  const replace: typeof register.replace = (roles) =>
    register.replace(roles).finally(() => {
      signingKeys.forget();
      mintingKeys.forget();
    });
  return { kms, register: { ...register, replace }, signingKeys, mintingKeys };
};

/** @param endpoint - AWS itself if undefined */
export const awsClientOptions = (
  environment: Given<typeof bare>,
  timeLeft: TimeLeft,
  endpoint: string | undefined,
) => ({
  timeLeft,
  ...(endpoint !== undefined && { endpoint }),
  region: environment.AWS_REGION,
  credentials: {
    accessKeyId: environment.AWS_ACCESS_KEY_ID,
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
    ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
  },
});
