import { createHash, createHmac } from 'node:crypto';
import { exchange } from '../api/exchange.ts';
import { EXIT, Failure } from '../failure.ts';
import type { World } from '../world.ts';

type Sdk = typeof import('./aws-sdk.ts');

/** As the AWS SDK has found it out. */
export interface AwsIdentity {
  readonly region: string;
  readonly credentials: () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  }>;
}

const TIMEOUT_SECONDS = 20;

/**
 * The outputs of a stack. One request signed by hand, since a client of its own would be one more dependency.
 *
 * @throws Failure. Source: AWS CloudFormation API, "DescribeStacks".
 */
export const stackOutputs = async (
  { fetch: send, environment }: Pick<World, 'fetch' | 'environment'>,
  { SignatureV4 }: Pick<Sdk, 'SignatureV4'>,
  { region, credentials }: AwsIdentity,
  stackName: string,
): Promise<ReadonlyMap<string, string>> => {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const { protocol, host, hostname, port, origin } = new URL(
    environment['AWS_ENDPOINT_URL_CLOUDFORMATION'] ?? `https://cloudformation.${region}.${suffix}`,
  );
  const parameters = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackName };
  const body = new URLSearchParams(parameters).toString();
  const signer = new SignatureV4({
    service: 'cloudformation',
    region,
    credentials,
    sha256: Sha256,
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: '/',
    headers: { host, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body,
  });
  const { host: _, ...sent } = headers;
  const answer = await exchange(send, {
    method: 'POST',
    url: `${origin}/`,
    headers: sent,
    body,
    timeoutSeconds: TIMEOUT_SECONDS,
  });
  if (answer.status !== 200) throw stackFailure(answer.text, answer.status, stackName, region);
  return outputsIn(answer.text);
};

/** Names and values of outputs hold nothing that XML escapes but what is undone here. */
const outputsIn = (xml: string): ReadonlyMap<string, string> =>
  new Map(
    xml
      .split('<member>')
      .map((member) => member.split('</member>', 1).join())
      .filter((member) => member.includes('<OutputKey>'))
      .map((member) => [textIn(member, 'OutputKey'), textIn(member, 'OutputValue')]),
  );

const textIn = (xml: string, element: string): string =>
  (xml.split(`<${element}>`, 2)[1] ?? '')
    .split('<', 1)
    .join()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

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

/** What the signer wants to hash with. */
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
