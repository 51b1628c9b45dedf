import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inOneMinute } from '../../support/minute.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

/** Refused from the sixth; all the requests of a batch count. */
const LIMIT = 5;
const BLOCK = 5 * LIMIT;
const EVERYWHERE = 50 * LIMIT;

let service: WholeService;
let person: Person;
beforeAll(async () => {
  service = await startWholeService({ public_requests_per_minute_per_ip: LIMIT });
  person = await service.person();
});
afterAll(() => service.stop());

const aServer = async () => (await service.publish(person, { authMethod: 'none' })).messagesUrl;

/** A batch of so many requests. */
const send = (url: string, requests: number): Promise<Response> =>
  service.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      Array.from({ length: requests }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
    ),
  });

const waitOf = async (answer: Response): Promise<number> =>
  answer.status === 429 ? Number(answer.headers.get('retry-after')) : 0;

/** Whether the wait is that of a block, longer than any minute. */
const isBlocked = async (url: string): Promise<boolean> => (await waitOf(await send(url, 1))) > 60;

const blocksNow = async () =>
  (await service.operate({ operator: 'list-blocked' }, 'maintenance'))['blocked'];

describe('an address that floods public deployments', () => {
  test('is blocked on the one that it floods, and not on the others, until an operator lifts it', async () => {
    const [flooded, other] = [await aServer(), await aServer()];
    await inOneMinute();
    const slug = new URL(flooded).pathname.split('/')[3];
    await send(flooded, BLOCK - 1);
    expect(await isBlocked(other)).toBe(false);
    await send(flooded, BLOCK);

    expect([await isBlocked(flooded), await isBlocked(other)]).toEqual([true, false]);
    expect(await blocksNow()).toEqual([{ subject: '127.0.0.1', slug, until: expect.any(Number) }]);
    await service.operate({ operator: 'unblock-ip', subject: '127.0.0.1', slug }, 'maintenance');
    expect(await blocksNow()).toEqual([]);
  });

  test('is blocked everywhere at fifty times the limit over all of them, and not below', async () => {
    const urls = [];
    for (let count = 0; count < 4; count += 1) urls.push(await aServer());
    const [first = '', second = '', third = '', fresh = ''] = urls;
    await inOneMinute();
    for (const url of [first, second, third]) await send(url, BLOCK - 1);
    expect(await isBlocked(fresh)).toBe(false);

    const rest = Math.ceil((EVERYWHERE - 3 * (BLOCK - 1) - 1) / 3);
    for (const url of [first, second, third]) await send(url, rest);

    expect(await isBlocked(fresh)).toBe(true);
    expect(await blocksNow()).toContainEqual({
      subject: '127.0.0.1',
      until: expect.any(Number),
    });
    await service.operate({ operator: 'unblock-ip', subject: '127.0.0.1' }, 'maintenance');
    expect(await blocksNow()).toEqual([]);
  });
});
