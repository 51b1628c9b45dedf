import { member } from '../../layers/platform/rules/json/json.ts';
import { EXIT, Failure, findingsOf, usageFailure } from '../failure.ts';
import { type Json, isJson, jsonOf, parsed, stringOf, textOf } from '../json.ts';
import { memberOf, messageOf, withServers } from '../text/words.ts';
import type { World } from '../world.ts';
import {
  FUNCTION_OF,
  type OperatorCommandName,
  type OperatorFunction,
  OUTPUTS,
  stackNameOf,
} from './functions.ts';
import { callerArn, stackOutputs } from './aws-query.ts';
import type { Target } from './target.ts';

type Sdk = typeof import('./aws-sdk.ts');
type Client = InstanceType<Sdk['LambdaClient']>;

export type Operate = (
  command: OperatorCommandName,
  sent?: Readonly<Record<string, unknown>>,
) => Promise<Json>;

/**
 * Invokes functions with the identity that the AWS SDK finds in the environment (profile, SSO, role), or as the
 * local operator.
 * @param target - a single function takes only the commands of that function
 */
export const operating = async (
  world: Pick<World, 'environment' | 'fetch'>,
  target: Target,
): Promise<Operate> => {
  const sdk = await import('./aws-sdk.ts');
  const client = clientFor(sdk, target);
  let used: OperatorFunction | undefined;
  let outputs: ReturnType<typeof stackOutputs> | undefined;
  let actor: ReturnType<typeof callerArn> | undefined;

  const identityOf = async () => ({
    region: await client.config.region(),
    credentials: () => client.config.credentials(),
  });
  const functionName = async (wanted: OperatorFunction): Promise<string> => {
    if (target.kind === 'local') return wanted;
    if (target.kind === 'function') {
      if (used !== undefined && used !== wanted) {
        throw usageFailure(
          'This command needs more than one function: name the stage with --stage.',
        );
      }
      used = wanted;
      return target.functionName;
    }
    const stack = stackNameOf(target.stage);
    outputs ??= stackOutputs(world, sdk, await identityOf(), stack);
    const name = (await outputs).get(OUTPUTS[wanted]);
    if (name) return name;
    throw new Failure(
      EXIT.notFound,
      'no_such_output',
      `The stack ${stack} has no output ${OUTPUTS[wanted]}.`,
      {
        hint: 'It was deployed from an older version: deploy it again, or name the function with --function.',
      },
    );
  };

  return async (command, sent = {}) => {
    try {
      actor ??= callerArn(world, sdk, identityOf, stsOf(target));
      const FunctionName = await functionName(FUNCTION_OF[command]);
      const Payload = Buffer.from(
        JSON.stringify({ operator: command, claimedActor: await actor, ...sent }),
      );
      const answer = await client.send(new sdk.InvokeCommand({ FunctionName, Payload }));
      const text = Buffer.from(answer.Payload ?? []).toString();
      return answered(command, answer.FunctionError, parsed(text));
    } catch (error) {
      throw error instanceof Failure ? error : awsFailure(error, target);
    }
  };
};

/** All services of a local run have one endpoint. */
const stsOf = (target: Target): string | undefined =>
  target.kind === 'local' ? target.access.endpoint : undefined;

const clientFor = ({ LambdaClient }: Sdk, target: Target): Client => {
  if (target.kind === 'function') return new LambdaClient({});
  if (target.kind === 'stage') {
    return new LambdaClient(target.region === undefined ? {} : { region: target.region });
  }
  const { endpoint, region, accessKeyId, secretAccessKey } = target.access;
  return new LambdaClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
};

const answered = (command: string, functionError: string | undefined, body: unknown): Json => {
  if (functionError !== undefined || !isJson(body)) {
    const what = textOf(jsonOf(body).errorMessage) ?? 'it gave no reason';
    const isUnknown = what.includes('not a command of this function');
    throw new Failure(EXIT.refused, 'function_failed', `The function failed: ${what}`, {
      hint: isUnknown
        ? `It does not know ${command}: is it the right function, and deployed from this version?`
        : 'Its log group says more.',
    });
  }
  if (body.ok === true) return body;
  const code = textOf(body.code) ?? 'refused';
  const findings = findingsOf(body.findings);
  const exitCode = code === 'not_found' ? EXIT.notFound : EXIT.refused;
  const description = withServers(textOf(body.description) ?? 'It is refused.');
  throw new Failure(exitCode, code, description, { findings });
};

const HINTS: Readonly<Record<string, string>> = {
  AccessDeniedException:
    'Your identity needs lambda:InvokeFunction on this function: aws sts get-caller-identity tells who you are.',
  CredentialsProviderError:
    'Sign in to AWS first: aws sso login, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ExpiredTokenException: 'Your AWS session has ended: sign in again, as with aws sso login.',
  ExpiredToken: 'Your AWS session has ended: sign in again, as with aws sso login.',
  InvalidSignatureException:
    'The secret key does not belong to the access key, or the clock is wrong.',
  UnrecognizedClientException: 'The access key is unknown: check AWS_PROFILE.',
  ResourceNotFoundException: 'Check --function, --stage and AWS_REGION.',
  TooManyRequestsException: 'Lambda is throttling: try again in a moment.',
};

const awsFailure = (error: unknown, target: Target): Failure => {
  const name = stringOf(memberOf(error, 'name'));
  const message = messageOf(error);
  if (message.includes('Region is missing')) {
    return usageFailure(
      'No AWS region is set.',
      target.kind === 'stage'
        ? `Set AWS_REGION to the region of ${target.stage}, as in AWS_REGION=eu-central-1, or write it into config/${target.stage}.json of the checkout as "region".`
        : 'Set AWS_REGION, as in AWS_REGION=eu-central-1.',
    );
  }
  // The SDK may wrap the system's error.
  if (message.includes('ECONNREFUSED') && target.kind === 'local') {
    return new Failure(
      EXIT.unreachable,
      'unreachable',
      'The service on this machine has stopped.',
      {
        hint: 'Start it with npm start.',
      },
    );
  }
  const hint = member(HINTS, name);
  const exitCode = name === 'ResourceNotFoundException' ? EXIT.notFound : EXIT.refused;
  return new Failure(exitCode, name || 'aws_error', `AWS: ${message}`, {
    ...(hint !== undefined && { hint }),
  });
};
