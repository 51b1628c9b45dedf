import { describe, expect, test } from '@jest/globals';
import { issuerKeys } from '../../../layers/tokens/store/issuer-keys.ts';
import { web } from '../../../layers/target/client/web.ts';
import { aClock } from '../../support/aws/dynamodb-fixtures.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

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

describe('the key set of an issuer', () => {
  test('is fetched once and then reused', async () => {
    await using issuer = await anIssuer(['one', 'two']);

    expect(await issuer.find('one')).toEqual(['one', 'two']);
    expect(await issuer.find('two')).toEqual(['one', 'two']);
    expect(await issuer.list()).toBe(await issuer.list());
    expect(issuer.asked()).toBe(1);
    expect(issuer.server.requests[0]).toMatchObject({ method: 'GET', url: '/keys', body: '' });
    expect(issuer.server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is fetched once for concurrent callers', async () => {
    await using issuer = await anIssuer();

    await Promise.all(Array.from({ length: 20 }, () => issuer.find()));

    expect(issuer.asked()).toBe(1);
  });

  test('is cached separately for each URL', async () => {
    await using issuer = await anIssuer();

    await issuer.find('one');
    await issuer.find('one', `${issuer.server.url}/others`);

    expect(issuer.server.requests.map(({ url }) => url)).toEqual(['/keys', '/others']);
  });

  test.each([
    ['for five minutes by default', {}, 5 * MINUTE],
    ['for at least five minutes', { 'cache-control': 'max-age=0' }, 5 * MINUTE],
    ['for five minutes despite no-store', { 'cache-control': 'no-store' }, 5 * MINUTE],
    ['for the max-age it has', { 'cache-control': 'public, max-age=600' }, 10 * MINUTE],
    ['for a max-age in capitals', { 'cache-control': 'MAX-AGE="600"' }, 10 * MINUTE],
    ['for at most fifteen minutes', { 'cache-control': 'max-age=86400' }, 15 * MINUTE],
    ['for five minutes despite an s-max-age', { 'cache-control': 's-max-age=900' }, 5 * MINUTE],
    ['for 900 seconds by a huge max-age', { 'cache-control': `max-age=${'9'.repeat(400)}` }, 900],
  ])('is cached %s', async (_, headers, seconds) => {
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

  test('is fetched again if the clock was set back', async () => {
    await using issuer = await anIssuer();
    await issuer.find();
    issuer.clock.time -= 1;
    await issuer.find();

    expect(issuer.asked()).toBe(2);
  });
});

describe('an unknown key id', () => {
  test('causes a fetch, so that a new key is valid at once', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.publish('one', 'two');

    expect(await issuer.find('two')).toEqual(['one', 'two']);
    expect(issuer.asked()).toBe(2);
  });

  test('causes one fetch a minute, however often it is sent', async () => {
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

  test('does not affect requests with a known key id', async () => {
    await using issuer = await anIssuer();
    await issuer.find('made-up');

    expect(await issuer.find('one')).toEqual(['one']);
    expect(issuer.asked()).toBe(1);
  });

  test('shares one fetch among concurrent requests', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.publish('two');

    const found = await Promise.all(Array.from({ length: 20 }, () => issuer.find('two')));

    expect(found).toEqual(Array.from({ length: 20 }, () => ['two']));
    expect(issuer.asked()).toBe(2);
  });

  test('is answered with the cached keys if the issuer is down', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.status = 500;

    expect(await issuer.find('two')).toEqual(['one']);
  });

  test('ends the use of a key that the issuer has withdrawn', async () => {
    await using issuer = await anIssuer(['one']);
    await issuer.find('one');
    issuer.answer.publish('two');
    await issuer.find('two');

    expect(await issuer.find('one')).toEqual(['two']);
  });
});

describe('an issuer that is down', () => {
  test('is represented by its cached keys for one hour after they expire', async () => {
    await using issuer = await anIssuer();
    await issuer.find();
    issuer.answer.status = 503;

    issuer.clock.time += 5 * MINUTE + HOUR - 1;
    expect(await issuer.find()).toEqual(['one']);
    issuer.clock.time += 1;
    await expect(issuer.find()).rejects.toMatchObject(DOWN);
  });

  test('is tried again after ten seconds and not at every request', async () => {
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

  test('without cached keys is a fault, repeated without a fetch for ten seconds', async () => {
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
    ['plain text', 'hello', 'no JSON'],
    ['an empty body', '', 'no JSON'],
    ['an array', '[]', 'no key set'],
    ['null', 'null', 'no key set'],
    ['no keys', '{}', 'no key set'],
    ['keys that are not a list', '{"keys":{}}', 'no key set'],
    ['keys that are not objects', '{"keys":["a"]}', 'no key set'],
    ['more than 64 KB', JSON.stringify({ keys: [{ kid: 'x'.repeat(65_536) }] }), 'too_large'],
  ])('that answers %s is reported as a fault', async (_, body, what) => {
    await using issuer = await anIssuer();
    issuer.answer.body = body;

    await expect(issuer.find()).rejects.toMatchObject({
      ...DOWN,
      message: `web: the keys of an issuer cannot be had: ${what}`,
    });
  });

  test('may publish 64 KB of keys', async () => {
    await using issuer = await anIssuer();
    const rest = JSON.stringify({ keys: [{ kid: '' }] }).length;
    issuer.answer.body = JSON.stringify({ keys: [{ kid: 'x'.repeat(65_536 - rest) }] });

    expect(await issuer.list()).toHaveLength(1);
  });

  test('that has a blocked address is reported as a fault', async () => {
    const keys = issuerKeys({ clock: aClock(), web: web({ policy: {} }) });

    await expect(keys.find('https://169.254.169.254/keys', 'k')).rejects.toMatchObject({
      ...DOWN,
      message: 'web: the keys of an issuer cannot be had: blocked_address',
    });
  });
});
