import { createHash, createHmac } from 'node:crypto';
import { type Answer, exchange } from '../api/exchange.ts';
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

export interface AwsQuery {
  readonly service: 'cloudformation' | 'sts';
  /** Where it is, if not in the region of the identity. */
  readonly endpoint?: string | undefined;
  /** `Action` and `Version` among them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/**
 * One request of the AWS Query protocol, signed by hand, since a client for each service would be one more
 * dependency. The answer is XML, whatever its status.
 *
 * @throws Failure unreachable, and what the SDK throws where it finds no credentials
 */
export const awsQuery = async (
  { fetch: send, environment }: Pick<World, 'fetch' | 'environment'>,
  { SignatureV4 }: Pick<Sdk, 'SignatureV4'>,
  { region, credentials }: AwsIdentity,
  { service, endpoint, parameters, timeoutSeconds }: AwsQuery,
): Promise<Answer> => {
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
    headers: { host, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body,
  });
  const { host: _, ...sent } = headers;
  return exchange(send, {
    method: 'POST',
    url: `${origin}/`,
    headers: sent,
    body,
    timeoutSeconds,
  });
};

/** The text of the first element of a name; empty if there is none. */
export const textIn = (xml: string, element: string): string =>
  (xml.split(`<${element}>`, 2)[1] ?? '')
    .split('<', 1)
    .join()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

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
