import { createHash, createHmac } from 'node:crypto';
import { type Answer, exchange } from '../api/exchange.ts';
import { EXIT, Failure } from '../failure.ts';
import type { World } from '../world.ts';

type Sdk = typeof import('./aws-sdk.ts');

export interface AwsIdentity {
  readonly region: string;
  readonly credentials: () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  }>;
}

interface AwsQuery {
  readonly service: 'cloudformation' | 'sts';
  /** URL of the service, if not that of the identity's region. */
  readonly endpoint?: string | undefined;
  /** Parameters of the query, with `Action` and `Version`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

interface SignedQuery {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Signs an AWS Query request, since an SDK client for each service would be a dependency more.
 * @throws the SDK's error where it finds no credentials
 */
export const signedQuery = async (
  { environment }: Pick<World, 'environment'>,
  { SignatureV4 }: Pick<Sdk, 'SignatureV4'>,
  { region, credentials }: AwsIdentity,
  { service, endpoint, parameters }: Omit<AwsQuery, 'timeoutSeconds'>,
  more: Readonly<Record<string, string>> = {},
): Promise<SignedQuery> => {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const { protocol, host, hostname, port, origin } = new URL(
    endpoint ??
      environment[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ??
      `https://${service}.${region}.${suffix}`,
  );
  const body = new URLSearchParams(parameters).toString();
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: '/',
    headers: { host, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...more },
    body,
  });
  const { host: _, ...sent } = headers;
  return { origin, headers: sent, body };
};

/**
 * Gets the answer as XML, whatever its status.
 * @throws Failure unreachable, or the SDK's error where it finds no credentials
 */
export const awsQuery = async (
  world: Pick<World, 'fetch' | 'environment'>,
  sdk: Pick<Sdk, 'SignatureV4'>,
  identity: AwsIdentity,
  { timeoutSeconds, ...query }: AwsQuery,
): Promise<Answer> => {
  const { origin, headers, body } = await signedQuery(world, sdk, identity, query);
  return exchange(world.fetch, {
    method: 'POST',
    url: `${origin}/`,
    headers,
    body,
    timeoutSeconds,
  });
};

/** Text of the first element of this name; empty if there is none. */
const textIn = (xml: string, element: string): string =>
  (xml.split(`<${element}>`, 2)[1] ?? '')
    .split('<', 1)
    .join()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** A short timeout, so that a network without a way to STS does not hold a command up. */
const CALLER_TIMEOUT_SECONDS = 5;

/**
 * ARN of whoever runs a command. It is recorded as a claim, since the function cannot check it. AWS answers
 * everybody, whatever their policies say. Source: AWS STS API, "GetCallerIdentity".
 * @param endpoint - of STS, if not that of the identity's region
 * @returns undefined where STS does not answer: the command goes on
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
      timeoutSeconds: CALLER_TIMEOUT_SECONDS,
    });
    return textIn(text, 'Arn') || undefined;
  } catch {
    return undefined;
  }
};

/** @throws Failure. Source: AWS CloudFormation API, "DescribeStacks". */
export const stackOutputs = async (
  world: Pick<World, 'fetch' | 'environment'>,
  sdk: Pick<Sdk, 'SignatureV4'>,
  identity: AwsIdentity,
  stackName: string,
): Promise<ReadonlyMap<string, string>> => {
  const parameters = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackName };
  const answer = await awsQuery(world, sdk, identity, {
    service: 'cloudformation',
    parameters,
    timeoutSeconds: 20,
  });
  if (answer.status !== 200) {
    throw stackFailure(answer.text, answer.status, stackName, identity.region);
  }
  return outputsIn(answer.text);
};

/** Reads names and values of outputs, which contain no XML escapes but those undone here. */
const outputsIn = (xml: string): ReadonlyMap<string, string> =>
  new Map(
    xml
      .split('<member>')
      .map((member) => member.split('</member>', 1).join())
      .filter((member) => member.includes('<OutputKey>'))
      .map((member) => [textIn(member, 'OutputKey'), textIn(member, 'OutputValue')]),
  );

const stackFailure = (xml: string, status: number, stackName: string, region: string): Failure => {
  const [code, message] = [textIn(xml, 'Code'), textIn(xml, 'Message')];
  if (message.includes('does not exist')) {
    return new Failure(
      EXIT.notFound,
      'no_such_stack',
      `There is no stack ${stackName} in ${region} of this account.`,
      { hint: 'Check --stage, AWS_REGION and AWS_PROFILE; cdk deploy makes the stack.' },
    );
  }
  return new Failure(EXIT.refused, code || 'aws_error', `CloudFormation: ${message || status}`, {
    status,
    hint: 'You need cloudformation:DescribeStacks, or name the function itself with --function.',
  });
};

class Sha256 {
  private readonly hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(bytesOf(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }
  reset(): void {}
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};
