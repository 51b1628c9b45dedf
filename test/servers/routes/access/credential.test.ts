import { randomUUID } from 'node:crypto';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aDeployment } from '../../../support/aws/dynamodb-fixtures.ts';
import {
  type ApiCall,
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../../support/service/management.ts';

let service: TestManagement;
let anna: Owner;
let bert: Owner;

beforeAll(async () => {
  service = await aManagementService();
  anna = await service.owner({ id: 'anna', email: 'anna@example.com' });
  bert = await service.owner({ id: 'bert', email: 'bert@example.com' });
  const { deploymentEditor } = service.ports;
  await deploymentEditor.create(
    aDeployment({ id: 'dep-weather', slug: 'weather', ownerId: 'anna' }),
  );
});
afterAll(() => service.stop());
afterEach(() => service.store.aws.faults.clear());

const PATH = '/deployments/weather/credential';
const put = (body: unknown, call: ApiCall = {}) =>
  service.call('PUT', PATH, { as: anna, body, ...call });
const get = (as = anna) => service.call('GET', PATH, { as });
const remove = (call: ApiCall = {}) => service.call('DELETE', PATH, { as: anna, ...call });

const KEY = { type: 'api_key', name: 'X-Key', in: 'header', value: 'CANARY-0123456789' };

describe('PUT, GET and DELETE /deployments/{slug}/credential', () => {
  test('set a credential, show it without its value and remove it', async () => {
    const shown = {
      type: 'api_key',
      name: 'X-Key',
      in: 'header',
      origins: ['https://api.example.com'],
      set_at: '2026-11-20T12:00:00Z',
    };
    const set = await put(KEY);
    expect(set).toMatchObject({ status: 200, body: shown });
    const etag = set.headers['etag'];
    expect(etag).toMatch(/^"2-/);
    expect(set.body).toEqual({ ...shown, warnings: [] });
    expect(await get()).toMatchObject({ status: 200, body: shown, headers: { etag } });

    expect(await remove()).toMatchObject({ status: 204, body: {} });
    expect(await get()).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await remove()).toMatchObject({ status: 204 });
  });

  test('keep the credential that there is where it was set too often within a day', async () => {
    const { deploymentEditor } = service.ports;
    await deploymentEditor.create(aDeployment({ id: 'dep-often', slug: 'often', ownerId: 'anna' }));
    const path = '/deployments/often/credential';
    const set = () => service.call('PUT', path, { as: anna, body: KEY });
    expect(await set()).toMatchObject({ status: 200 });
    const secrets = service.store.client(SecretsManagerClient);
    const another = () => ({ ClientRequestToken: randomUUID(), SecretString: '{}' });
    for (let number = 2; number <= 100; number += 1) {
      await secrets.send(new PutSecretValueCommand({ SecretId: 'test/dep-often', ...another() }));
    }
    const before = await service.call('GET', path, { as: anna });

    expect(await set()).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    expect(await service.call('GET', path, { as: anna })).toEqual(before);
  });

  test.each([
    [{ type: 'bearer', token: 'CANARY-token' }, { type: 'bearer' }],
    [{ type: 'basic', username: 'CANARY-user', password: 'CANARY' }, { type: 'basic' }],
  ])('show only the type of the credential %j', async (credential, shown) => {
    expect(await put(credential)).toMatchObject({ status: 200 });
    expect((await get()).body).toEqual({
      ...shown,
      origins: ['https://api.example.com'],
      set_at: expect.any(String),
    });
  });

  test.each<[string, string, string | undefined]>([
    ['fifteen characters', 'K7#vQ2!mZ9@wL4x', 'this password has 15 characters'],
    ['sixteen characters', 'K7#vQ2!mZ9@wL4xy', undefined],
    [
      'one that leaked often',
      '1234567890qwerty',
      'this password is one of those that are tried first',
    ],
    ['none', '', undefined],
  ])('warn of a password that can be guessed: %s', async (_, password, what) => {
    const { body } = await put({ type: 'basic', username: 'anna', password });

    const warning = expect.objectContaining({ where: '/password', what });
    expect(body['warnings']).toEqual(what === undefined ? [] : [warning]);
  });

  test.each([
    ['a key', KEY],
    [
      'a user name that is the key',
      { type: 'basic', username: 'sk_live_51HxYzAbCd', password: 'x' },
    ],
  ])('do not warn of %s, which a machine has made', async (_, credential) => {
    expect((await put(credential)).body['warnings']).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no type', { token: 'CANARY' }, '/type'],
    ['an unknown type', { type: 'CANARY', token: 'CANARY' }, '/type'],
    ['no token', { type: 'bearer' }, '/token'],
    ['a token that is not a string', { type: 'bearer', token: { CANARY: 1 } }, '/token'],
    ['an unknown place', { ...KEY, in: 'CANARY' }, '/in'],
    ['a member of a wrong type', { type: 'bearer', token: 'CANARY', value: 'CANARY' }, '/value'],
    ['a token that cannot be sent', { type: 'bearer', token: 'CANARY\r\n' }, '/token'],
    ['a header that may not be set', { ...KEY, name: 'Host' }, '/name'],
    ['a list', [KEY], ''],
    ['null', null, ''],
  ])('refuse %s without repeating the value', async (_, body, where) => {
    const answer = await put(body);

    expect(answer).toMatchObject({
      status: 422,
      headers: { 'content-type': 'application/problem+json' },
      body: { code: 'invalid_request', findings: [expect.objectContaining({ where })] },
    });
    expect(JSON.stringify(answer)).not.toContain('CANARY');
  });

  test('accept only the current revision in If-Match', async () => {
    const { headers } = await put(KEY);
    const stale = { headers: { 'if-match': (headers['etag'] ?? '').replace(/\d+/, '1') } };
    expect(await put(KEY, stale)).toMatchObject({ status: 412, body: { code: 'stale' } });
    expect(await remove(stale)).toMatchObject({ status: 412, body: { code: 'stale' } });

    expect(await remove({ headers: { 'if-match': headers['etag'] ?? '' } })).toMatchObject({
      status: 204,
    });
  });

  test('answer users other than the owner as if the deployment did not exist', async () => {
    await put(KEY);
    for (const answer of [
      await put(KEY, { as: bert }),
      await get(bert),
      await remove({ as: bert }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(await put(KEY, { as: undefined })).toMatchObject({ status: 401 });
    expect(await get()).toMatchObject({ status: 200 });
  });

  test('report an unavailable Secrets Manager and keep the stored credential', async () => {
    await put({ type: 'bearer', token: 'before' });
    service.store.aws.faults.inject({ kind: 'fail', on: { service: 'secretsmanager' } });

    expect(await put(KEY)).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String) },
    });
    expect((await get()).body).toMatchObject({ type: 'bearer' });
  });

  test('leave no trace of a value in answers, log and tables', async () => {
    service.store.aws.faults.inject({ kind: 'fail', on: { operation: 'CreateSecret' }, times: 1 });
    const answers = [await put(KEY), await put(KEY), await get(), await remove()];

    expect(JSON.stringify(answers)).not.toContain('CANARY');
    expect(JSON.stringify(service.lines)).not.toContain('CANARY');
    expect(JSON.stringify(await service.ports.deploymentEditor.read('weather'))).not.toContain(
      'CANARY',
    );
  });
});
