import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Token } from 'aws-cdk-lib';
import { checkEnvironmentSize } from '../../lib/functions/environment-size.ts';
import { checkCertificateRegion, readStage, stageOf } from '../../lib/stage/stage.ts';

const GOOD = {
  retain_data: true,
  mail: { from: 'mcp@acme.com', identity: 'acme.com' },
};
const withFile = (over: object) => stageOf('prod', JSON.stringify({ ...GOOD, ...over }));
const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/4b1f';

describe('the file of a stage', () => {
  test('needs few settings, and has defaults for the others', () => {
    expect(withFile({})).toMatchObject({
      name: 'prod',
      limits: {},
      logRetentionDays: 90,
      credentialStore: 'secrets-manager',
      signUp: 'open',
    });
  });

  test.each<[string, object, string]>([
    [
      'a misspelt setting',
      { sing_up: 'open' },
      'config/prod.json: `sing_up` is no setting; did you mean `sign_up`?',
    ],
    [
      'a misspelt setting of the mails',
      { mail: { ...GOOD.mail, identitty: 'x' } },
      'config/prod.json: `mail.identitty` is no setting; did you mean `identity`?',
    ],
    [
      'a setting like no other',
      { colour: 'red' },
      'config/prod.json: `colour` is no setting; there are retain_data, backup, limits, mail,',
    ],
    [
      'a misspelt limit',
      { limits: { target_timeout_second: 5 } },
      'config/prod.json: `limits.target_timeout_second`: unknown limit "target_timeout_second"; did you mean "target_timeout_seconds"?',
    ],
    [
      'a target that may take longer than the function',
      { limits: { target_timeout_seconds: 26 } },
      '`limits.target_timeout_seconds`: limit "target_timeout_seconds" may be 25 at most',
    ],
    [
      'a limit that is no number',
      { limits: { access_token_seconds: '3600' } },
      '`limits.access_token_seconds`: limit "access_token_seconds" must be a whole number',
    ],
    [
      'a limit of 0 that forbids nothing',
      { limits: { gallery_per_hour: 0 } },
      '`limits.gallery_per_hour`: limit "gallery_per_hour" must be a whole number of at least 1',
    ],
    [
      'mails from a name that nobody owns',
      { mail: { from: 'mcp@example.com', identity: 'example.com' } },
      '`mail.identity`: it is a name that nobody owns',
    ],
    [
      'mails from an address of another domain',
      { mail: { from: 'mcp@other.com', identity: 'acme.com' } },
      '`mail.from`: write the address that `mail.identity` is, or one of the domain',
    ],
    [
      'backups of what is not kept',
      { retain_data: false, backup: true },
      'config/prod.json: `backup`: write `"retain_data": true` too',
    ],
    ['an edge without a domain', { edge: true }, 'config/prod.json: `edge`: write a `domain` too'],
    [
      'an edge with a certificate of another region',
      { edge: true, domain: { name: 'mcp.acme.com', certificate_arn: CERTIFICATE } },
      '`domain.certificate_arn`: CloudFront takes certificates of us-east-1 alone',
    ],
    [
      'a rate that AWS WAF does not take',
      { edge: { requests_per_five_minutes: 99 } },
      '`edge.requests_per_five_minutes`: write how many requests one address may send',
    ],
    [
      'a domain with a path',
      { domain: { name: 'https://mcp.acme.com/', certificate_arn: CERTIFICATE } },
      '`domain.name`: write a host name in lower case',
    ],
    [
      'a certificate that is none',
      { domain: { name: 'mcp.acme.com', certificate_arn: 'arn:aws:iam::1:server-certificate/x' } },
      '`domain.certificate_arn`: write the ARN of a certificate of ACM',
    ],
    [
      'a web address among the redirect URIs of apps',
      { allowed_redirect_uris: ['https://acme.com/callback'] },
      '`allowed_redirect_uris.0`: write a URI with a scheme of an app of its own',
    ],
    [
      'executions that are reserved for no function',
      { reserved_concurrency: { rooter: 5 } },
      'config/prod.json: `reserved_concurrency.rooter` is no setting; did you mean `router`?',
    ],
    [
      'executions that are reserved in words',
      { reserved_concurrency: { router: 'many' } },
      '`reserved_concurrency.router`: write how many executions may run at once, 1 or more',
    ],
    [
      'a function that could never run',
      { reserved_concurrency: { router: 0 } },
      '`reserved_concurrency.router`: write how many executions may run at once, 1 or more',
    ],
    [
      'more instances that are kept started than may run',
      { reserved_concurrency: { router: 5 }, provisioned_concurrency: { router: 6 } },
      '`provisioned_concurrency.router`: write at most 5, which `reserved_concurrency` has for it',
    ],
    [
      'instances of no function that are kept started',
      { provisioned_concurrency: { rooter: 5 } },
      'config/prod.json: `provisioned_concurrency.rooter` is no setting; did you mean `router`?',
    ],
    ['a canary without a tool', { canary: { slug: 'status' } }, 'config/prod.json: `canary.tool`'],
    ['another way to trace', { traces: 'jaeger' }, '`traces`'],
    [
      'a version of MCP that there is not',
      { protocol_versions: ['2024-11-05', '2025-03-26'] },
      '`protocol_versions.0`: write versions among 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26',
    ],
    [
      'versions of MCP without the one that all speak',
      { protocol_versions: ['2026-07-28'] },
      '`protocol_versions`: leave 2025-03-26 in',
    ],
    [
      'an identity provider over http',
      { identity_providers: [{ issuer: 'http://idp.acme.com' }] },
      '`identity_providers`: issuer must be an https address',
    ],
    [
      'hosts of client documents in words',
      { client_document_hosts: { allow: 'example.com' } },
      '`client_document_hosts`: it must be {"allow": ["example.com", "*.example.com"]}',
    ],
    ['a word for who may sign up', { sign_up: 'maybe' }, '`sign_up`: write "open", "closed" or'],
  ])('is refused with %s, in a sentence that says what helps', (_, over, sentence) => {
    expect(() => withFile(over)).toThrow(sentence);
  });

  test('is answered with all of its faults at once', () => {
    expect(() => withFile({ colour: 1, limits: { colour: 1 }, sign_up: 1 })).toThrow(
      /sign_up[^]*\n[^]*colour/,
    );
  });

  test('is refused if it is no JSON', () => {
    expect(() => stageOf('prod', '{')).toThrow(/^config\/prod\.json: no JSON/);
  });

  test('may name a timeout of 25 seconds, the address itself as identity, and forbid by 0', () => {
    expect(
      withFile({
        mail: { from: 'mcp@acme.com', identity: 'mcp@acme.com' },
        limits: { target_timeout_seconds: 25, kept_answer_max_bytes: 0, log_retention_days: 91 },
      }),
    ).toMatchObject({ logRetentionDays: 120 });
  });
});

describe('the files of the repository', () => {
  test('are good, but for the addresses that a production has to write itself', () => {
    expect(readdirSync('config').toSorted()).toEqual(['dev.json', 'prod.json']);
    expect(readStage('dev').logRetentionDays).toBe(90);
    expect(() => readStage('prod')).toThrow(
      /^config\/prod\.json: `mail\.identity`: it is a name that nobody owns[^\n]*$/,
    );
  });

  test.each(['nowhere', '../package', 'Prod', ''])('hold no stage named %j', (name) => {
    expect(() => readStage(name)).toThrow('there is no stage');
  });
});

describe('the edge of a stage', () => {
  const AT_THE_EDGE = 'arn:aws:acm:us-east-1:111122223333:certificate/4b1f';
  const edgeOf = (edge: unknown) =>
    withFile({ edge, domain: { name: 'mcp.acme.com', certificate_arn: AT_THE_EDGE } });

  test('is off until it is requested, and differs only in what is said', () => {
    expect(edgeOf(false).edge).toBeUndefined();
    expect(withFile({}).edge).toBeUndefined();
    expect(edgeOf(true).edge).toEqual({ requestsPerFiveMinutes: 30_000, originSecrets: [1, 2] });
    expect(edgeOf({ origin_secrets: [2, 3] }).edge).toEqual({
      requestsPerFiveMinutes: 30_000,
      originSecrets: [2, 3],
    });
  });

  test('has its certificate in the region of CloudFront, wherever the service is', () => {
    expect(() => checkCertificateRegion(edgeOf(true), 'eu-central-1')).not.toThrow();
  });
});

describe('the certificate of a domain', () => {
  const stage = withFile({ domain: { name: 'mcp.acme.com', certificate_arn: CERTIFICATE } });

  test('has to be in the region of the service', () => {
    expect(() => checkCertificateRegion(stage, 'us-east-1')).toThrow(
      '`domain.certificate_arn`: the certificate is in eu-central-1, and the service in us-east-1',
    );
    expect(() => checkCertificateRegion(stage, 'eu-central-1')).not.toThrow();
  });

  test('is believed where the region is not known', () => {
    expect(() => checkCertificateRegion(stage, undefined)).not.toThrow();
  });
});

describe('the environment of a function', () => {
  test('is refused from 4,097 bytes on, names included', () => {
    const of = (bytes: number) => ({ LIMITS: 'x'.repeat(bytes - 6) });

    expect(() => checkEnvironmentSize('router', of(4096))).not.toThrow();
    expect(() => checkEnvironmentSize('router', of(4097))).toThrow(
      'the environment of router has 4097 bytes, and Lambda takes 4096: shorten what LIMITS comes from',
    );
  });

  test('counts what is known only at the deployment as long as it may become', () => {
    const unknown = Token.asString({ Ref: 'Table' });

    expect(() => checkEnvironmentSize('router', { A: 'x'.repeat(4000), B: unknown })).toThrow();
    expect(() => checkEnvironmentSize('router', { B: unknown })).not.toThrow();
  });
});
