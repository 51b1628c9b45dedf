import type { World } from '../world.ts';
import { type AwsIdentity, awsQuery, textIn } from './aws-query.ts';

type Sdk = typeof import('./aws-sdk.ts');

/** A network without a way to STS must not hold a command up for long. */
const TIMEOUT_SECONDS = 5;

/**
 * The ARN of whoever runs a command, for the trace that it leaves: a claim, since the function cannot check it.
 * AWS answers it to everybody, whatever their policies say.
 *
 * @param endpoint - where STS is, if not in the region of the identity
 * @returns undefined where it cannot be asked: the command goes on
 *
 * Source: AWS STS API, "GetCallerIdentity".
 */
export const callerArn = async (
  world: Pick<World, 'fetch' | 'environment'>,
  sdk: Pick<Sdk, 'SignatureV4'>,
  identity: () => Promise<AwsIdentity>,
  endpoint: string | undefined,
): Promise<string | undefined> => {
  const parameters = { Action: 'GetCallerIdentity', Version: '2011-06-15' };
  try {
    const { text } = await awsQuery(world, sdk, await identity(), {
      service: 'sts',
      endpoint,
      parameters,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    return textIn(text, 'Arn') || undefined;
  } catch {
    return undefined;
  }
};
