import { describe, expect, test } from '@jest/globals';
import { issuerKeys } from '../../../layers/core/adapters/jwt/issuer-keys.ts';
import { web } from '../../../layers/core/adapters/target-api/index.ts';
import { aClock } from '../dynamodb/fixtures.ts';
import { anHttpServer } from '../../support/target-server.ts';

const MINUTE = 60;
const HOUR = 3600;

/** An issuer whose answers the test sets, and an instance of the router that asks it. */
const anIssuer = async (kids: readonly string[] = ['one']) => {
  const answer = {
    status: 200,
    headers: {} as Record<string, string>,
    body: '',
    publish(...names: readonly string[]) {
      answer.body = JSON.stringify({ keys: names.map((kid) => ({ kty: 'EC', kid })) });
    },
  };
  answer.publish(...kids);
  const server = await anHttpServer((_, response) =>
    response.writeHead(answer.status, answer.headers).end(answer.body),
  );
  const clock = aClock();
  const guarded = web({ policy: { loopback: { exceptPorts: [] } } });
  const keys = issuerKeys({ clock, web: guarded });
  return {
    answer,
    clock,
    server,
    url: `${server.url}/keys`,
    /** The ids of the keys that are found for a token. */
    find: async (kid: string | undefined = 'one', url = `${server.url}/keys`) =>
      (await keys.find(url, kid)).map((key) => key['kid']),
    list: () => keys.find(`${server.url}/keys`, undefined),
    asked: () => server.requests.length,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const DOWN = { name: 'Fault', neighbour: 'web' };

describe('the keys of an issuer', () => {
  test('are fetched once, and are the same list from then on', async () => {
    await using issuer = await anIssuer(['one', 'two']);

    expect(await issuer.find('one')).toEqual(['one', 'two']);
    expect(await issuer.find('two')).toEqual(['one', 'two']);
    expect(await issuer.list()).toBe(await issuer.list());
    expect(issuer.asked()).toBe(1);
    expect(issuer.server.requests[0]).toMatchObject({ method: 'GET', url: '/keys', body: '' });
    expect(issuer.server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('are fetched once for any number of callers at once', async () => {
    await using issuer = await anIssuer();

    await Promise.all(Array.from({ length: 20 }, () => issuer.find()));

    expect(issuer.asked()).toBe(1);
  });

  test('are kept apart by address', async () => {
    await using issuer = await anIssuer();

    await issuer.find('one');
    await issuer.find('one', `${issuer.server.url}/others`);

    expect(issuer.server.requests.map(({ url }) => url)).toEqual(['/keys', '/others']);
  });

  test.each([
    ['five minutes if nothing is said', {}, 5 * MINUTE],
    ['five minutes at least', { 'cache-control': 'max-age=0' }, 5 * MINUTE],
    ['five minutes where they must not be stored', { 'cache-control': 'no-store' }, 5 * MINUTE],
    ['as long as is said', { 'cache-control': 'public, max-age=600' }, 10 * MINUTE],
    ['as long as is said in capitals', { 'cache-control': 'MAX-AGE="600"' }, 10 * MINUTE],
    ['fifteen minutes at most', { 'cache-control': 'max-age=86400' }, 15 * MINUTE],
    ['as is said to us, not to proxies', { 'cache-control': 's-max-age=900' }, 5 * MINUTE],
    ['no longer for a number beyond all', { 'cache-control': `max-age=${'9'.repeat(400)}` }, 900],
  ])('are kept %s', async (_, headers, seconds) => {
    await using issuer = await anIssuer();
    issuer.answer.headers = headers;
    await issuer.find();

    issuer.clock.time += seconds - 1;
    await issuer.find();
    expect(issuer.asked()).toBe(1);
    issuer.clock.time += 1;
    await issuer.find();
    expect(issuer.asked()).toBe(2);
  });

  test('are fetched anew if the clock was set back', async () => {
    await using issuer = await anIssuer();
    await issuer.find();
    issuer.clock.time -= 1;
    await issuer.find();

    expect(issuer.asked()).toBe(2);
  });
});

describe('a key id that is not known', () => {
  test('is looked for, so that a new key is good at once', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.publish('one', 'two');

    expect(await issuer.find('two')).toEqual(['one', 'two']);
    expect(issuer.asked()).toBe(2);
  });

  test('is looked for once a minute, however often it comes', async () => {
    await using issuer = await anIssuer();
    await issuer.find();

    for (let times = 0; times < 50; times++) await issuer.find(`made-up-${times}`);
    expect(issuer.asked()).toBe(2);
    issuer.clock.time += 59;
    await issuer.find('made-up');
    expect(issuer.asked()).toBe(2);
    issuer.clock.time += 1;
    await issuer.find('made-up');
    await issuer.find('made-up');
    expect(issuer.asked()).toBe(3);
  });

  test('leaves those alone whose key is known', async () => {
    await using issuer = await anIssuer();
    await issuer.find('made-up');

    expect(await issuer.find('one')).toEqual(['one']);
    expect(issuer.asked()).toBe(1);
  });

  test('shares one look with others that come at once', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.publish('two');

    const found = await Promise.all(Array.from({ length: 20 }, () => issuer.find('two')));

    expect(found).toEqual(Array.from({ length: 20 }, () => ['two']));
    expect(issuer.asked()).toBe(2);
  });

  test('is in none of the keys where the issuer cannot be asked', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.status = 500;

    expect(await issuer.find('two')).toEqual(['one']);
  });

  test('ends a key that was taken back', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.publish('two');
    await issuer.find('two');

    expect(await issuer.find('one')).toEqual(['two']);
  });
});

describe('an issuer that is down', () => {
  test('is served by the keys it had, for an hour beyond their time', async () => {
    await using issuer = await anIssuer();
    await issuer.find();
    issuer.answer.status = 503;

    issuer.clock.time += 5 * MINUTE + HOUR - 1;
    expect(await issuer.find()).toEqual(['one']);
    issuer.clock.time += 1;
    await expect(issuer.find()).rejects.toMatchObject(DOWN);
  });

  test('is asked again after ten seconds, not at every request', async () => {
    await using issuer = await anIssuer();
    await issuer.find();
    issuer.answer.status = 503;
    issuer.clock.time += 5 * MINUTE;

    for (let times = 0; times < 20; times++) await issuer.find();
    issuer.clock.time += 9;
    await issuer.find();
    expect(issuer.asked()).toBe(2);
    issuer.clock.time += 1;
    issuer.answer.status = 200;
    issuer.answer.publish('one', 'two');
    expect(await issuer.find()).toEqual(['one', 'two']);
    expect(issuer.asked()).toBe(3);
  });

  test('is a fault where nothing is known of it, at once for ten seconds', async () => {
    await using issuer = await anIssuer();
    issuer.answer.status = 404;

    await expect(issuer.find()).rejects.toMatchObject({
      ...DOWN,
      message: 'web: the keys of an issuer cannot be had: status 404',
    });
    issuer.answer.status = 200;
    issuer.clock.time += 9;
    await expect(issuer.find()).rejects.toMatchObject(DOWN);
    expect(issuer.asked()).toBe(1);
    issuer.clock.time += 1;
    expect(await issuer.find()).toEqual(['one']);
  });

  test.each([
    ['no JSON', 'hello', 'no JSON'],
    ['nothing', '', 'no JSON'],
    ['a list', '[]', 'no key set'],
    ['null', 'null', 'no key set'],
    ['no keys', '{}', 'no key set'],
    ['keys that are no list', '{"keys":{}}', 'no key set'],
    ['keys that are no objects', '{"keys":["a"]}', 'no key set'],
    ['more than 64 KB', JSON.stringify({ keys: [{ kid: 'x'.repeat(65_536) }] }), 'too_large'],
  ])('or that answers %s, is a fault', async (_, body, what) => {
    await using issuer = await anIssuer();
    issuer.answer.body = body;

    await expect(issuer.find()).rejects.toMatchObject({
      ...DOWN,
      message: `web: the keys of an issuer cannot be had: ${what}`,
    });
  });

  test('takes 64 KB', async () => {
    await using issuer = await anIssuer();
    const rest = JSON.stringify({ keys: [{ kid: '' }] }).length;
    issuer.answer.body = JSON.stringify({ keys: [{ kid: 'x'.repeat(65_536 - rest) }] });

    expect(await issuer.list()).toHaveLength(1);
  });

  test('or that nobody may reach, is a fault that says so', async () => {
    const keys = issuerKeys({ clock: aClock(), web: web({ policy: {} }) });

    await expect(keys.find('https://169.254.169.254/keys', 'k')).rejects.toMatchObject({
      ...DOWN,
      message: 'web: the keys of an issuer cannot be had: blocked_address',
    });
  });
});
