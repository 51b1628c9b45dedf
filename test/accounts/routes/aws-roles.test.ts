import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { signedQuery } from '../../../cli/admin/aws-query.ts';
import { AWS_ROLES } from '../../../layers/accounts/rules/caller-identity.ts';
import { ACCOUNT_ID } from '../../../local/aws/account.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let session: string;
let trust: string;
beforeAll(async () => {
  service = await startWholeService();
  session = await signedIn(await service.person());
  trust = await trusted();
});
afterAll(() => service.stop());

const call = async (method: string, path: string, as?: string, body?: object) => {
  const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
};
const signedIn = async ({ email, password }: Person): Promise<string> =>
  String((await call('POST', '/sessions', undefined, { email, password })).body['access_token']);
const trusted = async (claims = { account: ACCOUNT_ID, role: 'builder' }): Promise<string> => {
  const wanted = { name: 'build', scope: 'declare', issuer: AWS_ROLES, claims };
  const { status, body } = await call('POST', '/account/trusts', session, wanted);
  expect(status).toBe(201);
  return String(body['id']);
};

interface Shown {
  region: string;
  headers: Record<string, string>;
}
/** What a role of this name shows. */
const shownBy = async (
  role: string,
  {
    named = service.baseUrl,
    action = 'GetCallerIdentity',
    of = 'sts',
    region,
  }: { named?: string; action?: string; of?: 'sts' | 'cloudformation'; region?: string } = {},
): Promise<Shown> => {
  const connection = connectionOf(service.aws, role);
  const identity = {
    region: region ?? connection.region,
    credentials: () => Promise.resolve(connection.credentials),
  };
  const query = {
    service: of,
    endpoint: connection.endpoint,
    parameters: { Action: action, Version: '2011-06-15' },
  };
  const { headers } = await signedQuery(
    { environment: {} },
    { SignatureV4 },
    identity,
    query,
    named === '' ? {} : { 'x-hosted-mcp-server': named },
  );
  const { 'content-type': _, ...sent } = headers;
  return { region: identity.region, headers: { ...sent } };
};
const exchanged = (shown: object) =>
  call('POST', '/sessions/machine', undefined, {
    trust,
    token: Buffer.from(JSON.stringify(shown)).toString('base64url'),
  });

describe('what runs as a role of AWS', () => {
  test('signs in by a question to STS that the role has signed, once', async () => {
    const shown = await shownBy('builder');
    const { status, body } = await exchanged(shown);
    expect({ status, ...body }).toMatchObject({ status: 200, expires_in: 900 });
    const listed = await call('GET', '/deployments', String(body['access_token']));
    expect(listed.status).toBe(200);
    expect(await exchanged(shown)).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('used before') },
    });
    expect(JSON.stringify(await service.kept())).not.toContain(shown.headers['authorization']);
  });

  test.each<readonly [string, () => Promise<object>, RegExp]>([
    ['another role', () => shownBy('deployer'), /role is "deployer"/],
    [
      'a request for another service',
      () => shownBy('builder', { named: 'https://other.example/v1' }),
      /another service/,
    ],
    ['a request for no service', () => shownBy('builder', { named: '' }), /no x-hosted-mcp-server/],
    [
      'our name beside the signature',
      async () => {
        const { region, headers } = await shownBy('builder', { named: '' });
        return { region, headers: { ...headers, 'x-hosted-mcp-server': service.baseUrl } };
      },
      /not signed as/,
    ],
    ['another question of STS', () => shownBy('builder', { action: 'GetSessionToken' }), /refuses/],
    [
      'a request of another service of AWS',
      () => shownBy('builder', { of: 'cloudformation' }),
      /not signed as/,
    ],
    [
      'a region that the signature has not',
      async () => ({ ...(await shownBy('builder')), region: 'eu-west-3' }),
      /not signed as/,
    ],
    [
      'a region that is none',
      async () => ({ ...(await shownBy('builder')), region: 'evil.example/' }),
      /no region/,
    ],
    [
      'another signature',
      async () => {
        const shown = await shownBy('builder');
        const { authorization = '' } = shown.headers;
        const changed = authorization.replace(/Signature=\w{4}/, 'Signature=0000');
        return { ...shown, headers: { ...shown.headers, authorization: changed } };
      },
      /refuses/,
    ],
    [
      'an old date',
      async () => {
        const shown = await shownBy('builder');
        return { ...shown, headers: { ...shown.headers, 'x-amz-date': '20260101T000000Z' } };
      },
      /last minutes/,
    ],
    [
      'a date that is none',
      async () => {
        const shown = await shownBy('builder');
        return { ...shown, headers: { ...shown.headers, 'x-amz-date': 'now' } };
      },
      /last minutes/,
    ],
    [
      'a header of the connection',
      async () => {
        const shown = await shownBy('builder');
        return { ...shown, headers: { ...shown.headers, host: 'evil.example' } };
      },
      /a header that/,
    ],
    [
      'a line break in a header',
      async () => {
        const shown = await shownBy('builder');
        const changed = `${shown.headers['authorization']}\r\nhost: evil.example`;
        return { ...shown, headers: { ...shown.headers, authorization: changed } };
      },
      /no usable header/,
    ],
    ['no headers', async () => ({ region: 'eu-central-1' }), /no authorization/],
    ['nothing', async () => ({}), /no region/],
  ])('is refused with %s', async (_, shown, why) => {
    const { status, body } = await exchanged(await shown());
    expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'machine_refused' });
    expect(body['detail']).toMatch(why);
  });

  test.each([
    ['no account', { account: 'mine', role: 'builder' }, '/claims/account'],
    ['a role with its path', { account: ACCOUNT_ID, role: 'team/builder' }, '/claims/role'],
  ])('is not trusted by %s', async (_, claims, where) => {
    const wanted = { name: 'x', scope: 'all', issuer: AWS_ROLES, claims };
    const { status, body } = await call('POST', '/account/trusts', session, wanted);
    expect(status).toBe(422);
    expect(body['findings']).toContainEqual(expect.objectContaining({ where }));
  });
});
