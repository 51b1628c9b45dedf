import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { careOf } from '../../../layers/management/routes/care.ts';
import { isCareEvent } from '../../../layers/platform/http/event.ts';
import type { MailRequest } from '../../../layers/accounts/rules/user.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  NOON,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const DAY = 86_400;

let service: TestManagement;
let owner: Owner;
let api: TargetServer;
let status = 200;
const asked: MailRequest[] = [];
let care: ReturnType<typeof careOf>;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner();
  api = await anHttpServer((_, response) => {
    response.statusCode = status;
    response.end(JSON.stringify(aDescription()));
  });
  const mailRequests = { send: async (request: MailRequest) => void asked.push(request) };
  care = careOf({ ...service.ports, mailRequests });
});
afterAll(async () => {
  await service.stop();
  await api[Symbol.asyncDispose]();
});

const careAfter = async (days: number, answers: number) => {
  service.clock.time = NOON + days * DAY;
  status = answers;
  return care({ takeCareOf: 'weekly' });
};

describe('a description that cannot be fetched', () => {
  test('is mailed of after a week, once until it works again', async () => {
    const body = { openapi_url: api.url, slug: 'weekly', refresh: 'daily' };
    await service.call('POST', '/deployments', { as: owner, body });

    expect(await careAfter(0, 200)).toEqual({
      ok: true,
      credential_refused: false,
      refreshed: 'unchanged',
    });
    expect(await careAfter(1, 503)).toMatchObject({ refreshed: 'failed' });
    expect(await careAfter(7.9, 503)).toMatchObject({ refreshed: 'failed' });
    expect(asked).toEqual([]);

    await careAfter(8, 503);
    expect(asked).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        purpose: 'description_unreachable',
        email: owner.user.email,
        slug: 'weekly',
      },
    ]);
    await careAfter(9, 503);
    expect(asked).toHaveLength(1);

    await careAfter(10, 200);
    await careAfter(11, 503);
    expect(asked).toHaveLength(1);
    await careAfter(18, 503);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.id).not.toBe(asked[0]?.id);
  });

  test('says nothing of a deployment that is not there', async () => {
    expect(await care({ takeCareOf: 'nothing-here' })).toMatchObject({ ok: true });
  });
});

describe('an event that is no request to take care', () => {
  test.each([{ takeCareOf: '' }, { takeCareOf: 7 }, { takeCareOf: 'a', more: 1 }])(
    'is refused: %j',
    async (event) => {
      expect(isCareEvent(event)).toBe(true);
      await expect(care(event)).rejects.toThrow('not a request to take care of a deployment');
    },
  );

  test('goes elsewhere where it is of another kind', () => {
    expect(isCareEvent({ operator: 'publish' })).toBe(false);
    expect(isCareEvent({ routeKey: '$default', body: '{"takeCareOf":"a"}' })).toBe(false);
  });
});
