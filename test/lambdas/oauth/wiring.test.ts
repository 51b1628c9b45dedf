import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { wireOAuth } from '../../../lambdas/oauth/wiring.ts';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import { aDeployment, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { aMintedToken, anAccessToken } from '../../support/oauth/oauth-fixtures.ts';
import { dynamoMintedTokens } from '../../../layers/tokens/store/minted-tokens.ts';
import { dynamoClient } from '../../../layers/platform/dynamodb/client.ts';
import { connectionOf, startTestAws, type TestAws } from '../../support/aws/aws.ts';
import { environmentOf } from '../wiring/environments.ts';

let aws: TestAws;
let environment: Record<string, string>;

beforeAll(async () => {
  aws = await startTestAws();
  environment = {
    ...aws.aws.environment('oauth'),
    BASE_URL: 'http://127.0.0.1:8787/v1',
    DEPLOYMENTS_TABLE: aws.tableName('deployments'),
    USERS_TABLE: aws.tableName('users'),
    OAUTH_TABLE: aws.tableName('oauth'),
    LIMITS_TABLE: aws.tableName('limits'),
    SECURITY_EVENTS_TABLE: aws.tableName('security-events'),
    DESCRIPTIONS_BUCKET: aws.bucket,
    ANSWERS_BUCKET: aws.answersBucket,
    SIGNING_KEY_IDS: aws.signingKey,
    MINTING_KEY_IDS: aws.mintingKey,
    MAILS_FUNCTION: 'mails:live',
    IDENTITY_FUNCTION: 'identity:live',
    SIGN_UP: 'open',
  };
  aws.aws.calls.reset();
});
afterAll(() => aws.stop());
afterEach(() => aws.aws.calls.reset());

const router = () => wireRouter(environmentOf(aws, 'router'));

describe('wiring the OAuth function', () => {
  test('opens no connection', () => {
    wireOAuth(environment);

    expect(aws.aws.calls.count()).toBe(0);
  });

  test('fails for each missing environment variable', () => {
    for (const variable of Object.keys(environment).filter((name) => !name.includes('ENDPOINT'))) {
      const { [variable]: _, ...others } = environment;
      expect(() => wireOAuth(others)).toThrow(`${variable} is missing`);
    }
  });

  test('accepts allowed redirect URIs and explains what is wrong with them', () => {
    const given = (ALLOWED_REDIRECT_URIS: string) => ({ ...environment, ALLOWED_REDIRECT_URIS });

    expect(wireOAuth(environment).settings.allowedRedirectUris).toEqual([]);
    expect(wireOAuth(given('["app:/cb"]')).settings.allowedRedirectUris).toEqual(['app:/cb']);
    expect(() => wireOAuth(given('["app:/cb","https://x"]'))).toThrow(
      'ALLOWED_REDIRECT_URIS is not usable: 1: write a URI with a scheme of an app of its own',
    );
  });

  test('connects it to the same access tokens as the router', async () => {
    const { accessTokens } = wireOAuth(environment);
    const token = fingerprint('shared');
    await accessTokens.put(token, anAccessToken());

    expect(await router().accessTokens.find(token)).toEqual(anAccessToken());
    await accessTokens.revoke(token);
    expect(await router().accessTokens.find(token)).toMatchObject({ revoked: true });
  });

  test('connects it to the same signing key as the router', async () => {
    const jwt = await wireOAuth(environment).signer.sign('at+jwt', { sub: 'user-1' });
    const keys = { keys: await router().signingKeys.list() } as unknown as JSONWebKeySet;

    expect(await jwtVerify(jwt, createLocalJWKSet(keys))).toMatchObject({
      payload: { sub: 'user-1' },
    });
  });

  test('connects it to the deployments of an owner', async () => {
    await wireManagement(environmentOf(aws, 'management')).deploymentEditor.create(aDeployment());

    expect(await wireOAuth(environment).deployments.listByOwner('user-1')).toEqual([aDeployment()]);
  });

  test('gives it the limits that the operator set', async () => {
    const LIMITS = '{"registration_per_hour_per_ip":1}';
    const { counters } = wireOAuth({ ...environment, LIMITS });
    await counters.take('registration_per_hour_per_ip', '192.0.2.7', NOON);

    expect(await counters.take('registration_per_hour_per_ip', '192.0.2.7', NOON)).toMatchObject({
      allowed: false,
    });
  });
});

describe('wiring the router function', () => {
  test('connects it to minted tokens and the usage of users', async () => {
    const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
    const dynamo = dynamoClient({ endpoint, region, credentials });
    await dynamoMintedTokens(dynamo, aws.tableName('oauth')).put(aMintedToken());
    dynamo.destroy();

    expect(await router().mintedTokens.find('jti-1')).toEqual(aMintedToken());
    await router().usage.take('user-1', 'free', 3, NOON);
    expect(await router().usage.read('user-1', 'free', NOON)).toEqual({ hour: 3, month: 3 });
  });
});
