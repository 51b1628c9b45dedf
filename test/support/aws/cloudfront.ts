import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import type { Template } from 'aws-cdk-lib/assertions';
import { listening } from '../target/listening.ts';

export interface CloudFront {
  readonly origin: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Behavior {
  readonly PathPattern: string;
  readonly CachePolicyId: unknown;
}

interface Config {
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: readonly Behavior[];
  readonly Origins: readonly [{ readonly OriginCustomHeaders: readonly { HeaderName: string }[] }];
}

/** The managed policy that keeps nothing. Source: Amazon CloudFront, "Managed cache policies". */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/**
 * What CloudFront does to requests by the distribution of a template, on loopback before an origin there:
 * the function of the behavior sees a request first, the policy says what of it passes, custom headers take
 * the place of what a client has sent, and answers are kept as the cache policy and `Cache-Control` allow.
 *
 * @param secret - what CloudFormation puts in for the reference to the secret
 * Source: Amazon CloudFront, "Request and response behavior for custom origins".
 */
export const startCloudFront = async (
  template: Template,
  originPort: number,
  secret: string,
): Promise<CloudFront> => {
  const only = (type: string) => Object.values(template.findResources(type))[0]?.['Properties'];
  const distribution: Config = only('AWS::CloudFront::Distribution').DistributionConfig;
  const policy = only('AWS::CloudFront::OriginRequestPolicy').OriginRequestPolicyConfig;
  const withheld: readonly string[] = policy.HeadersConfig.Headers;
  const run = runInNewContext(`${only('AWS::CloudFront::Function').FunctionCode};handler`) as (
    event: unknown,
  ) => { headers: Record<string, { value: string }> };
  const added = distribution.Origins[0].OriginCustomHeaders.map(
    ({ HeaderName }) => [HeaderName.toLowerCase(), secret] as const,
  );
  const kept = new Map<string, Answer>();

  const forward = async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
  ): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const asked = request({ port: originPort, method, path, headers, agent: false }, (answer) => {
      const { statusCode: status = 0, headers: told } = answer;
      buffer(answer).then((bytes) => resolve({ status, headers: told, body: bytes }), reject);
    });
    asked.on('error', reject);
    asked.end(body);
    return promise;
  };

  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', socket, headers: sent } = incoming;
    const viewer = socket.remoteAddress ?? '';
    const pathname = path.split('?', 1)[0] ?? '';
    const { CacheBehaviors, DefaultCacheBehavior } = distribution;
    const { CachePolicyId } =
      CacheBehaviors.find(({ PathPattern }) => patternOf(PathPattern).test(pathname)) ??
      DefaultCacheBehavior;
    const mayKeep = CachePolicyId !== CACHING_DISABLED && method === 'GET';

    const serve = async (): Promise<Answer & { readonly cache: string }> => {
      const found = mayKeep ? kept.get(pathname) : undefined;
      if (found) return { ...found, cache: 'Hit from cloudfront' };
      const names = Object.entries(sent).map(([name, value]) => [name, { value: String(value) }]);
      const { headers: seen } = run({
        viewer: { ip: viewer },
        request: { headers: Object.fromEntries(names) },
      });
      const passing = Object.entries(seen).filter(
        ([name]) => !HOP_BY_HOP.includes(name) && !withheld.includes(name),
      );
      const before = sent['x-forwarded-for'];
      const answer = await forward(
        method,
        path,
        {
          ...Object.fromEntries(passing.map(([name, { value }]) => [name, value])),
          'x-forwarded-for': before === undefined ? viewer : `${before}, ${viewer}`,
          via: '2.0 local.cloudfront.net (CloudFront)',
          // The origin's own name: the policy lets the client's not pass.
          host: `127.0.0.1:${originPort}`,
          ...Object.fromEntries(added),
        },
        await buffer(incoming),
      );
      const control = answer.headers['cache-control'] ?? '';
      if (mayKeep && /max-age=[1-9]/.test(control) && !/no-store|private/.test(control)) {
        kept.set(pathname, answer);
      }
      return { ...answer, cache: 'Miss from cloudfront' };
    };
    serve().then(
      ({ status, headers, body, cache }) => {
        outgoing.writeHead(status, { ...headers, 'x-cache': cache });
        outgoing.end(body);
      },
      () => outgoing.writeHead(502).end(),
    );
  });
  const { url, stop } = await listening(server);
  return { origin: url, close: stop };
};

const patternOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
