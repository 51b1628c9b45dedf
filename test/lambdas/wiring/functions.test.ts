import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Listening, listening } from '../../support/target/listening.ts';
import { functions } from '../../../lambdas/manifest.ts';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import { wireMails } from '../../../lambdas/mails/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { wireOAuth } from '../../../lambdas/oauth/wiring.ts';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import {
  aDeployment,
  anIndex,
  aReport,
  aVersionNotes,
  PLENTY,
} from '../../support/aws/dynamodb-fixtures.ts';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';
import { environmentOf } from './environments.ts';

let aws: TestAws;
let target: Listening;
let targetUrl: string;

beforeAll(async () => {
  aws = await startTestAws();
  target = await listening(createServer((_, response) => response.end('reached')));
  targetUrl = `${target.url}/`;
});
afterAll(async () => {
  await target.stop();
  await aws.stop();
});
afterEach(() => aws.aws.calls.reset());

const router = (over: Record<string, string> = {}) =>
  wireRouter({ ...environmentOf(aws, 'router'), ...over });
const management = () => wireManagement(environmentOf(aws, 'management'));

describe('wiring the functions', () => {
  test('needs only the variables of the manifest and opens no connection', () => {
    router();
    management();
    wireCredentials(environmentOf(aws, 'credentials'));
    wireMails(environmentOf(aws, 'mails'));

    expect(aws.aws.calls.count()).toBe(0);
  });

  test.each([
    ['router', wireRouter],
    ['management', wireManagement],
    ['credentials', wireCredentials],
    ['mails', wireMails],
  ] as const)('of %s fails for each missing environment variable', (name, wire) => {
    const required = functions[name].environment.filter(
      (variable) => !['ORIGIN_SECRETS', 'NETWORK_FUNCTIONS'].includes(variable),
    );
    for (const variable of required) {
      const { [variable]: _, ...environment } = environmentOf(aws, name);
      expect(() => wire(environment)).toThrow(`${variable} is missing`);
    }
  });

  test.each(['management', 'credentials'] as const)(
    'of %s refuses an unknown CREDENTIAL_STORE',
    (name) => {
      const wire = name === 'management' ? wireManagement : wireCredentials;
      const CREDENTIAL_STORE = 'somewhere';
      expect(() => wire({ ...environmentOf(aws, name), CREDENTIAL_STORE })).toThrow(
        'CREDENTIAL_STORE',
      );
    },
  );

  test.each([
    ['router', wireRouter],
    ['oauth', wireOAuth],
    ['management', wireManagement],
  ] as const)('of %s has it ask for the secrets of the distribution', (name, wire) => {
    const ORIGIN_SECRETS = `${'a'.repeat(64)},${'b'.repeat(64)}`;

    const { settings } = wire({ ...environmentOf(aws, name), ORIGIN_SECRETS });

    expect(settings.originSecrets).toEqual(ORIGIN_SECRETS.split(','));
  });

  test('joins them: what management stores, the router finds', async () => {
    const { deploymentEditor, resources, prompts } = management();
    const version = {
      deploymentId: 'dep-1',
      version: 1,
      index: anIndex('getForecast'),
      report: aReport({ name: 'getForecast', notes: [{ what: 'renamed', why: 'why not' }] }),
      description: '{}',
      inline: false,
      notes: aVersionNotes(),
    };
    const resource = { name: 'r', uri: 'file:///r', content: '', encoding: 'text' } as const;
    await resources.create({ id: 'dep-1', slug: 'dep-1' }, resource, PLENTY);
    await prompts.create(
      { id: 'dep-1', slug: 'dep-1' },
      { name: 'p', arguments: [], template: '' },
      PLENTY,
    );
    await deploymentEditor.create(aDeployment(), { version });
    expect(await management().versions.description('dep-1', 1)).toBe('{}');

    const reader = router();
    expect(await reader.deployments.find('weather')).toEqual(aDeployment());
    expect(await reader.toolIndexes.find('dep-1', 1)).toEqual(anIndex('getForecast'));
    expect(await reader.toolReports.find('dep-1', 1)).toMatchObject({
      tools: [{ name: 'getForecast' }],
    });
    expect(await reader.resources.list('dep-1')).toMatchObject([{ name: 'r' }]);
    expect(await reader.prompts.list('dep-1')).toMatchObject([{ name: 'p' }]);

    await management().versions.removeAll('dep-1');
    expect(await management().versions.description('dep-1', 1)).toBeUndefined();
    expect(await router().toolIndexes.find('dep-1', 1)).toBeUndefined();
  });

  test('gives the router its limits', async () => {
    const { publicRequests, settings } = router({
      LIMITS: '{"public_requests_per_minute_per_ip":2}',
    });

    expect(settings.limits.public_requests_per_minute_per_ip).toBe(2);
    const request = { subject: '192.0.2.7', deploymentId: 'dep-1', slug: 'weather' };
    expect(await publicRequests.count(request, 2, 0)).toEqual({ allowed: true });
    expect(await publicRequests.count(request, 1, 0)).toMatchObject({ allowed: false });
  });

  test('uses the AWS credentials of each function', async () => {
    await router().deployments.find('anything');
    await management().deploymentEditor.read('anything');

    expect(aws.aws.calls.list().map(({ caller }) => caller)).toEqual(['router', 'management']);
  });
});

describe('outbound requests of the functions', () => {
  const request = () => ({ method: 'GET', url: targetUrl, headers: {} });
  const limits = { maxBytes: 1000, timeoutSeconds: 5 };
  const loopback = { targets: { loopback: { exceptPorts: [] } } };

  test('cannot reach loopback, whatever the environment says', async () => {
    const tempting = {
      TARGETS: '{"loopback":{"exceptPorts":[]}}',
      TARGET_POLICY: 'loopback',
      ALLOW_LOOPBACK: 'true',
      NODE_ENV: 'development',
      AWS_SAM_LOCAL: 'true',
    };
    const opened = { ...environmentOf(aws, 'management'), ...tempting };

    await expect(router(tempting).targetApi.send('dep-1', request())).rejects.toMatchObject({
      reason: 'blocked_address',
    });
    await expect(wireManagement(opened).web.fetch(targetUrl, limits)).rejects.toMatchObject({
      reason: 'blocked_address',
    });
  });

  test.each([
    'https://mcp.example.com/v1/mcp-router/other/messages',
    'https://MCP.example.com.:8443/',
    'https://{bucket}.s3.eu-central-1.amazonaws.com/deployments',
    'https://s3.eu-central-1.amazonaws.com/{answers}/1',
  ])('cannot reach the service itself: %s', async (address) => {
    const us = { BASE_URL: 'https://mcp.example.com/v1' };
    const url = address.replace('{bucket}', aws.bucket).replace('{answers}', aws.answersBucket);
    const blocked = { reason: 'blocked_address', message: 'the service itself' };
    const { targetApi } = router(us);
    const webs = [
      wireManagement({ ...environmentOf(aws, 'management'), ...us }).web,
      wireOAuth({ ...environmentOf(aws, 'oauth'), ...us }).web,
    ];

    await expect(targetApi.send('dep-1', { ...request(), url })).rejects.toMatchObject(blocked);
    for (const web of webs) {
      await expect(web.fetch(url, limits)).rejects.toMatchObject(blocked);
      await expect(web.fetchExactly(url, limits)).rejects.toMatchObject(blocked);
    }
  });

  test('can reach loopback only in the local runtime', async () => {
    const { targetApi } = wireRouter(environmentOf(aws, 'router'), loopback);
    const { web } = wireManagement(environmentOf(aws, 'management'), loopback);

    expect(await targetApi.send('dep-1', request())).toMatchObject({ status: 200 });
    expect(await web.fetch(targetUrl, limits)).toMatchObject({ status: 200 });
    targetApi.close();
  });
});
