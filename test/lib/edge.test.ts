import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { functions } from '../../lambdas/manifest.ts';
import { MANAGED_GROUPS } from '../../lib/edge/managed-rules.ts';
import type { Stage } from '../../lib/stage/stage.ts';
import { ORIGIN_SECRET_HEADER as ORIGIN_SECRET } from '../../layers/platform/http/endpoint.ts';
import { type Gateway, startGateway } from '../../local/gateway/index.ts';
import { type CloudFront, startCloudFront } from '../support/aws/cloudfront.ts';
import { anOAuthService, type TestOAuth } from '../support/oauth/oauth.ts';
import { redeem } from '../support/oauth/oauth-requests.ts';
import { fetchFrom, otherAddress } from '../support/target/other-address.ts';
import { AT_THE_EDGE, type Statement, synthesized } from '../support/stacks/synthesized.ts';

const { service: template, firewall } = synthesized({}, AT_THE_EDGE);

const referenceTo = (number: number) =>
  `{{resolve:secretsmanager:OriginSecretsSecret${number}:SecretString:::}}`;

/** A joined text with names of resources in place of references to them. */
const textOf = (joined: unknown): string => {
  const parts = (joined as { 'Fn::Join': [string, (string | { Ref: string })[]] })['Fn::Join'][1];
  return parts
    .map((part) => (typeof part === 'string' ? part : part.Ref.replace(/[0-9A-F]{8}$/, '')))
    .join('');
};

const distributionOf = (of = template) =>
  Object.values(of.findResources('AWS::CloudFront::Distribution'))[0]!['Properties']
    .DistributionConfig;

const behaviors = (): Record<string, unknown>[] => [
  distributionOf().DefaultCacheBehavior,
  ...distributionOf().CacheBehaviors,
];

describe('a stage without `edge`', () => {
  test('has no distribution, no web ACL and no secret', () => {
    const { service, firewall: none } = synthesized();

    expect(none).toBeUndefined();
    service.resourceCountIs('AWS::CloudFront::Distribution', 0);
    service.resourceCountIs('AWS::SecretsManager::Secret', 0);
    service.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ ORIGIN_SECRETS: '' }) },
    });
  });
});

describe('the distribution of a stage with `edge`', () => {
  test('serves the domain, over TLS 1.2 and above, and sends all to the API by its own name', () => {
    expect(distributionOf()).toMatchObject({
      Aliases: ['mcp.acme.com'],
      ViewerCertificate: {
        AcmCertificateArn: AT_THE_EDGE.domain?.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    });
    const [origin] = distributionOf().Origins;
    expect(origin.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginSSLProtocols: ['TLSv1.2'],
    });
    expect(textOf(origin.DomainName)).toBe('ApiHttp.execute-api.eu-central-1.AWS::URLSuffix');
    template.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    template.hasOutput('BaseUrl', { Value: 'https://mcp.acme.com/v1' });
    template.hasOutput('DomainTarget', {
      Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('^EdgeDistribution'), 'DomainName'] },
    });
  });

  test('waits longer for the API than the API for a function', () => {
    const [{ CustomOriginConfig }] = distributionOf().Origins;
    const longest = Object.values(functions)
      .filter(({ routes }) => routes.length > 0)
      .map(({ timeoutSeconds }) => timeoutSeconds);

    expect(CustomOriginConfig.OriginReadTimeout).toBeGreaterThan(Math.max(30, ...longest));
  });

  test('passes every header but Host, all cookies and queries, with every method', () => {
    template.resourceCountIs('AWS::CloudFront::OriginRequestPolicy', 1);
    template.hasResourceProperties('AWS::CloudFront::OriginRequestPolicy', {
      OriginRequestPolicyConfig: {
        HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['host'] },
        CookiesConfig: { CookieBehavior: 'all' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    });
    for (const behavior of behaviors()) {
      expect(behavior).toMatchObject({
        OriginRequestPolicyId: { Ref: expect.stringMatching(/^EdgeAllButHost/) },
        ViewerProtocolPolicy: 'https-only',
        FunctionAssociations: [{ EventType: 'viewer-request' }],
        AllowedMethods: expect.arrayContaining([
          'GET',
          'POST',
          'PUT',
          'PATCH',
          'DELETE',
          'OPTIONS',
        ]),
      });
    }
  });

  test('keeps nothing but public keys and hashed files, and these as long as they say', () => {
    const { DefaultCacheBehavior, CacheBehaviors, CustomErrorResponses } = distributionOf();
    // The managed policy "CachingDisabled".
    expect(DefaultCacheBehavior.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    expect(CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
      '/v1/mcp-oauth-server/.well-known/jwks.json',
      '/v1/console/assets/*',
    ]);
    template.hasResourceProperties('AWS::CloudFront::CachePolicy', {
      CachePolicyConfig: { MinTTL: 0, DefaultTTL: 0 },
    });
    const times = CustomErrorResponses.map(
      ({ ErrorCachingMinTTL }: { ErrorCachingMinTTL: number }) => ErrorCachingMinTTL,
    );
    expect(new Set(times)).toEqual(new Set([0]));
  });

  test('shows the first of two generated secrets, and the functions take both', () => {
    template.resourcePropertiesCountIs(
      'AWS::SecretsManager::Secret',
      { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
      2,
    );
    const [{ OriginCustomHeaders }] = distributionOf().Origins;
    expect(OriginCustomHeaders).toEqual([
      { HeaderName: 'X-Hosted-Mcp-Origin-Secret', HeaderValue: expect.anything() },
    ]);
    expect(textOf(OriginCustomHeaders[0].HeaderValue)).toBe(referenceTo(1));

    const given = Object.values(template.findResources('AWS::Lambda::Function')).flatMap(
      ({ Properties }) => Properties.Environment?.Variables.ORIGIN_SECRETS ?? [],
    );
    expect(given.map(textOf)).toEqual(
      ['router', 'oauth', 'management'].map(() => `${referenceTo(1)},${referenceTo(2)}`),
    );
  });

  test('changes the secret in two deployments, in the first of which nothing is taken away', () => {
    const headerOf = (numbers: readonly number[]) => {
      const edge = { ...AT_THE_EDGE.edge!, originSecrets: numbers };
      const { service } = synthesized({ edge }, AT_THE_EDGE);
      const [{ OriginCustomHeaders }] = distributionOf(service).Origins;
      return textOf(OriginCustomHeaders[0].HeaderValue);
    };

    expect([headerOf([2, 1]), headerOf([2, 3])]).toEqual([referenceTo(2), referenceTo(2)]);
  });

  test('is behind a web ACL of its own region, which blocks who sends too much', () => {
    expect(distributionOf().WebACLId).toEqual({
      'Fn::GetStackOutput': {
        StackName: 'HostedMcp-prod-Edge-eu-central-1',
        Region: 'us-east-1',
        OutputName: 'WebAclArn',
      },
    });
    firewall!.hasOutput('WebAclArn', {});
    firewall!.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      DefaultAction: { Allow: {} },
      Rules: [
        Match.objectLike({
          Statement: {
            RateBasedStatement: {
              Limit: 30_000,
              AggregateKeyType: 'IP',
              EvaluationWindowSec: 300,
            },
          },
          Action: { Block: { CustomResponse: Match.objectLike({ ResponseCode: 429 }) } },
          VisibilityConfig: Match.objectLike({ SampledRequestsEnabled: false }),
        }),
      ],
    });
  });
});

const withEdge = (edge: Partial<NonNullable<Stage['edge']>>, over: Partial<Stage> = {}) =>
  synthesized({ edge: { ...AT_THE_EDGE.edge!, ...edge }, ...over }, AT_THE_EDGE).firewall!;
const aclOf = (of: Template) =>
  Object.values(of.findResources('AWS::WAFv2::WebACL'))[0]!['Properties'];

describe('managed rules at the edge', () => {
  test('are none where none are named', () => {
    expect(aclOf(firewall!).Rules).toHaveLength(1);
  });

  test('count what they find, or block it, after the rate rule', () => {
    const [, ...rules] = aclOf(
      withEdge({
        managedRules: {
          AWSManagedRulesAmazonIpReputationList: 'block',
          AWSManagedRulesAnonymousIpList: 'count',
        },
      }),
    ).Rules;

    expect(rules).toMatchObject([
      {
        Name: 'AWSManagedRulesAmazonIpReputationList',
        Priority: 1,
        OverrideAction: { None: {} },
        Statement: {
          ManagedRuleGroupStatement: {
            VendorName: 'AWS',
            Name: 'AWSManagedRulesAmazonIpReputationList',
          },
        },
        VisibilityConfig: { SampledRequestsEnabled: false },
      },
      {
        Name: 'AWSManagedRulesAnonymousIpList',
        Priority: 2,
        OverrideAction: { Count: {} },
        VisibilityConfig: { SampledRequestsEnabled: false },
      },
    ]);
  });

  test('never block clouds, from which hosts of models and the canary call', () => {
    const [, rule] = aclOf(
      withEdge({ managedRules: { AWSManagedRulesAnonymousIpList: 'block' } }),
    ).Rules;

    expect(rule.OverrideAction).toEqual({ None: {} });
    expect(rule.Statement.ManagedRuleGroupStatement.RuleActionOverrides).toEqual([
      { Name: 'HostingProviderIPList', ActionToUse: { Count: {} } },
    ]);
  });

  test('fit all into a web ACL of the basic price', () => {
    // Source: AWS WAF, "Rate-based rule statement" and "AWS WAF web ACL capacity units (WCUs)".
    const ofRateRule = 2;
    const all = Object.values(MANAGED_GROUPS).map(({ capacity }) => capacity);

    expect(all.reduce((sum, capacity) => sum + capacity, ofRateRule)).toBeLessThanOrEqual(1500);
  });
});

describe('the log of the firewall', () => {
  const logged = withEdge({ firewallLog: true }, { logRetentionDays: 365 });
  const { LoggingFilter, RedactedFields, LogDestinationConfigs, ResourceArn } = Object.values(
    logged.findResources('AWS::WAFv2::LoggingConfiguration'),
  )[0]!['Properties'];

  test('is none until it is requested', () => {
    firewall!.resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
    firewall!.resourceCountIs('AWS::Logs::LogGroup', 0);
    firewall!.resourceCountIs('AWS::KMS::Key', 0);
  });

  test('has what a rule has found, and no other request', () => {
    expect(LoggingFilter).toEqual({
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'].map((Action) => ({
            ActionCondition: { Action },
          })),
        },
      ],
    });
    expect(ResourceArn).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^WebAcl/), 'Arn'] });
  });

  test('has no query, and no header by which the service knows somebody', () => {
    expect(RedactedFields[0]).toEqual({ QueryString: {} });
    const names = RedactedFields.slice(1).map(
      ({ SingleHeader }: { SingleHeader: { Name: string } }) => SingleHeader.Name,
    );
    expect(names).toEqual(
      expect.arrayContaining(['authorization', 'cookie', 'referer', ORIGIN_SECRET]),
    );
    expect(names).toEqual(names.map((name: string) => name.toLowerCase()));
  });

  test('is where AWS WAF takes a log group, under a key of its own, as long as other logs', () => {
    const [group] = Object.values(logged.findResources('AWS::Logs::LogGroup'));
    expect(JSON.stringify(group?.['Properties'].LogGroupName)).toContain(
      '"aws-waf-logs-HostedMcp-prod-Edge-eu-central-1-"',
    );
    expect(group).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        RetentionInDays: 365,
        KmsKeyId: { 'Fn::GetAtt': [expect.stringMatching(/^LogKey/), 'Arn'] },
      },
    });
    // AWS WAF takes no ARN that ends in `:*`.
    expect(JSON.stringify(LogDestinationConfigs)).toMatch(
      /:log-group:",\{"Ref":"LogGroup[0-9A-F]+"\}\]\]\}\]$/,
    );
    const [key] = Object.values(logged.findResources('AWS::KMS::Key'));
    const statements = key?.['Properties'].KeyPolicy.Statement as readonly Statement[];
    const encrypting = statements.find(({ Sid }) => Sid === 'EncryptOwnLogs');
    expect(JSON.stringify(encrypting?.Principal)).toContain('logs.us-east-1.');
    expect(JSON.stringify(encrypting?.Condition)).toContain(
      ':log-group:aws-waf-logs-HostedMcp-prod-Edge-eu-central-1-',
    );
    expect(key).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
  });

  test('goes with a stage that retains nothing', () => {
    const gone = withEdge({ firewallLog: true }, { retainData: false, backup: false });

    for (const type of ['AWS::Logs::LogGroup', 'AWS::KMS::Key']) {
      gone.hasResource(type, { DeletionPolicy: 'Delete' });
    }
  });
});

const SECRET = 's'.repeat(64);
const NEXT_SECRET = 'n'.repeat(64);
const OAUTH = '/v1/mcp-oauth-server';

let service: TestOAuth;
let gateway: Gateway;
let edge: CloudFront;

beforeAll(async () => {
  service = await anOAuthService({
    originSecrets: `${SECRET},${NEXT_SECRET}`,
    limits: { registration_per_hour_per_ip: 1 },
  });
  gateway = await startGateway({
    port: 0,
    routes: functions.oauth.routes.map((key) => ({ key, functionName: 'oauth' })),
    invoke: async (_, event) => JSON.stringify(await service.send(JSON.parse(event))),
  });
  edge = await startCloudFront(template, gateway.port, SECRET);
});
afterAll(async () => {
  await edge.close();
  await gateway.close(0);
  await service.stop();
});

const directly = () => `http://127.0.0.1:${gateway.port}`;
const register = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  fetchFrom(address, `${edge.origin}${OAUTH}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ redirect_uris: ['https://app.example.com/callback'] }),
  });

describe('a distribution as the template says it, before the gateway', () => {
  test('has the functions count by the address of the client, whatever the client says of it', async () => {
    const spoofed = { 'x-forwarded-for': '203.0.113.1', 'true-client-ip': '203.0.113.2' };

    const statuses = [
      (await register(otherAddress(8))).status,
      (await register(otherAddress(8), spoofed)).status,
      (await register(otherAddress(9), spoofed)).status,
    ];

    expect(statuses).toEqual([201, 429, 201]);
  });

  test('passes tokens, and the challenge back', async () => {
    const code = await service.code({}, { scopes: ['openid'] });
    const { access_token: token } = await redeemed(code);
    const userinfo = `${edge.origin}${OAUTH}/userinfo`;

    const shown = await fetch(userinfo, { headers: { authorization: `Bearer ${token}` } });
    const refused = await fetch(userinfo);

    expect([shown.status, await shown.json()]).toEqual([200, { sub: code.grant.userId }]);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer realm="mcp"/);
  });

  test('keeps public keys, and no answer to a token', async () => {
    const cacheOf = async (path: string) =>
      (await fetch(`${edge.origin}${OAUTH}${path}`)).headers.get('x-cache');

    await cacheOf('/.well-known/jwks.json');
    await cacheOf('/userinfo');

    expect(await cacheOf('/.well-known/jwks.json')).toMatch(/^Hit/);
    expect(await cacheOf('/userinfo')).toMatch(/^Miss/);
  });
});

describe('who goes round the distribution', () => {
  test.each([
    ['nothing', {}],
    ['an address', { 'true-client-ip': '198.51.100.1' }],
    [
      'a wrong secret',
      { 'x-hosted-mcp-origin-secret': 'x'.repeat(64), 'true-client-ip': '198.51.100.1' },
    ],
  ])('with %s is refused, and logged', async (_, headers) => {
    const logged = service.lines.length;

    const answer = await fetch(`${directly()}${OAUTH}/.well-known/jwks.json`, { headers });

    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      403,
      'forbidden',
    ]);
    const lines = service.lines.slice(logged);
    expect(lines).toEqual([expect.objectContaining({ outcome: 'forbidden', status: 403 })]);
    expect(JSON.stringify(lines)).not.toContain('xxxx');
  });

  test('gets in with the secret that will be shown next, so that no request is lost between', async () => {
    const headers = { 'x-hosted-mcp-origin-secret': NEXT_SECRET, 'true-client-ip': '198.51.100.1' };

    const { status } = await fetch(`${directly()}${OAUTH}/.well-known/jwks.json`, { headers });

    expect(status).toBe(200);
  });
});

/** Tests of codes redeem them without a gateway; here they go by the edge as well. */
const redeemed = async (code: Awaited<ReturnType<TestOAuth['code']>>) => {
  const tokens: TestOAuth = {
    ...service,
    send: (event) =>
      service.send({
        ...event,
        headers: {
          ...event.headers,
          'x-hosted-mcp-origin-secret': SECRET,
          'true-client-ip': '198.51.100.1',
        },
      }),
  };
  return redeem(tokens, code);
};
