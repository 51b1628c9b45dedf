import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { functions } from '../../lambdas/manifest.ts';
import { wireCredentials } from '../../layers/core/wiring/credentials.ts';
import { wireManagement } from '../../layers/core/wiring/management.ts';
import { wireRouter } from '../../layers/core/wiring/router.ts';
import { aDeployment, anIndex, aReport, aVersionNotes } from '../adapters/dynamodb/fixtures.ts';
import { startTestAws, type TestAws } from '../support/aws.ts';
import { environmentOf } from './environments.ts';

let aws: TestAws;
let target: Server;
let targetUrl: string;

beforeAll(async () => {
  aws = await startTestAws();
  target = createServer((_, response) => response.end('reached'));
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  target.closeAllConnections();
  await new Promise((closed) => target.close(closed));
  await aws.stop();
});
afterEach(() => aws.aws.calls.reset());

const router = (over: Record<string, string> = {}) =>
  wireRouter({ ...environmentOf(aws, 'router'), ...over });
const management = () => wireManagement(environmentOf(aws, 'management'));

describe('wiring a function', () => {
  test('needs no more than the manifest gives it, and connects to nothing', () => {
    router();
    management();
    wireCredentials(environmentOf(aws, 'credentials'));

    expect(aws.aws.calls.count()).toBe(0);
  });

  test.each([
    ['router', wireRouter],
    ['management', wireManagement],
    ['credentials', wireCredentials],
  ] as const)('%s says which variable is missing', (name, wire) => {
    const required = functions[name].environment.filter((variable) => variable !== 'LIMITS');
    for (const variable of required) {
      const { [variable]: _, ...environment } = environmentOf(aws, name);
      expect(() => wire(environment)).toThrow(`${variable} is missing`);
    }
  });

  test.each(['management', 'credentials'] as const)(
    '%s is told which of two stores holds the credentials',
    (name) => {
      const wire = name === 'management' ? wireManagement : wireCredentials;
      const CREDENTIAL_STORE = 'somewhere';
      expect(() => wire({ ...environmentOf(aws, name), CREDENTIAL_STORE })).toThrow(
        'CREDENTIAL_STORE',
      );
    },
  );

  test('joins them: what management stores, the router finds', async () => {
    const { deploymentEditor, versions, resources, prompts } = management();
    await versions.put({
      deploymentId: 'dep-1',
      version: 1,
      index: anIndex('getForecast'),
      report: aReport({ name: 'getForecast', notes: [{ what: 'renamed', why: 'why not' }] }),
      description: '{}',
      inline: false,
      notes: aVersionNotes(),
    });
    await resources.put('dep-1', { name: 'r', uri: 'file:///r', content: '', encoding: 'text' });
    await prompts.put('dep-1', { name: 'p', arguments: [], template: '' });
    await deploymentEditor.create(aDeployment());

    const reader = router();
    expect(await reader.deployments.find('weather')).toEqual(aDeployment());
    expect(await reader.toolIndexes.find('dep-1', 1)).toEqual(anIndex('getForecast'));
    expect(await reader.toolReports.find('dep-1', 1)).toMatchObject({
      tools: [{ name: 'getForecast' }],
    });
    expect(await reader.resources.list('dep-1')).toMatchObject([{ name: 'r' }]);
    expect(await reader.prompts.list('dep-1')).toMatchObject([{ name: 'p' }]);
  });

  test('gives the router its limits', async () => {
    const { publicRequests, settings } = router({
      LIMITS: '{"public_requests_per_minute_per_ip":2}',
    });

    expect(settings.limits.public_requests_per_minute_per_ip).toBe(2);
    expect(await publicRequests.count('192.0.2.7', 2, 0)).toEqual({ allowed: true });
    expect(await publicRequests.count('192.0.2.7', 1, 0)).toMatchObject({ allowed: false });
  });

  test('gives each call the credentials of its own function', async () => {
    await router().deployments.find('anything');
    await management().deploymentEditor.read('anything');

    expect(aws.aws.calls.list().map(({ caller }) => caller)).toEqual(['router', 'management']);
  });
});

describe('the way out', () => {
  const request = () => ({ method: 'GET', url: targetUrl, headers: {} });
  const limits = { maxBytes: 1000, timeoutSeconds: 5 };
  const loopback = { targets: { loopback: { exceptPorts: [] } } };

  test('does not lead to this machine, and no variable opens it', async () => {
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

  test('leads to this machine only if the local run says so', async () => {
    const { targetApi } = wireRouter(environmentOf(aws, 'router'), loopback);
    const { web } = wireManagement(environmentOf(aws, 'management'), loopback);

    expect(await targetApi.send('dep-1', request())).toMatchObject({ status: 200 });
    expect(await web.fetch(targetUrl, limits)).toMatchObject({ status: 200 });
    targetApi.close();
  });
});
