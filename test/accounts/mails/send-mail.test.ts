import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { server } from '../../../layers/accounts/mails/server.ts';
import { wireMails } from '../../../lambdas/mails/wiring.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import { dynamoMailTokens } from '../../../layers/accounts/store/mail-tokens.ts';
import { readMailToken } from '../../../layers/accounts/rules/mail-token.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';
import { dynamoUndeliverables } from '../../../layers/accounts/store/undeliverables.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { HOUR } from '../../../layers/platform/rules/time.ts';
import { dynamoActivity } from '../../../layers/activity/store/activity.ts';
import {
  aClock,
  NOON,
  startStore,
  type Store,
  usersOf,
} from '../../support/aws/dynamodb-fixtures.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';
import { mailsAt } from '../../support/oauth/people.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

/** 2026-11-20T00:00:00Z */
const MIDNIGHT = NOON - 12 * HOUR;

let store: Store;
let send: ReturnType<typeof server>;
const clock = aClock();
const lines: Readonly<Record<string, unknown>>[] = [];
beforeAll(async () => {
  store = await startStore();
  const log = { write: (line: Readonly<Record<string, unknown>>) => void lines.push(line) };
  const wired = wireMails(environmentOf(store, 'mails'));
  const { random } = wired;
  const table = store.tableName('security-events');
  const events = dynamoEvents({ clock, log, random }, store.instance(), table, 90);
  send = server({ ...wired, clock, log, events });
  // Bounces and complaints come as EventBridge brings them.
  store.aws.onInvoke(async (_name, payload) => {
    await send(JSON.parse(payload));
    return { payload: 'null' };
  });
});
afterAll(() => store.stop());
afterEach(() => {
  clock.time = NOON;
});

const anEmail = (): string => `${randomUUID()}@example.com`;
const signUp = (email: string, id = randomUUID()) => send({ id, purpose: 'sign_up', email });
const countTo = async (email: string) =>
  (await mailsAt(store)).filter(({ to }) => to === email).length;

describe('an invitation', () => {
  const invite = async (email: string, may_sign_up: boolean, more: object = {}) => {
    const invitation = { purpose: 'invitation', slug: 'orders', by: 'ada@example.com' };
    await send({ id: randomUUID(), email, ...invitation, may_sign_up, ...more });
    return (await mailsAt(store)).findLast(({ to }) => to === email)!;
  };

  test('leads who has no account to a password, and then to the server', async () => {
    const { subject, text, link } = await invite(anEmail(), true);
    expect(subject).toBe('ada@example.com invites you to orders');
    expect(link).toMatch(/\/mcp-oauth-server\/verify\?token=[\w.-]+&server=orders$/);
    expect(text).toContain('Choose a password to create your account.');
  });

  test('is good whatever a stranger signs up with its address', async () => {
    const email = anEmail();
    const { link } = await invite(email, true);
    await signUp(email);
    const token = new URL(link!).searchParams.get('token') ?? '';
    const tokens = dynamoMailTokens(store.instance(), store.tableName('users'), systemRandom());

    const read = readMailToken(token)!;
    expect(await tokens.find({ purpose: 'invitation', ...read })).toMatchObject({ email });
    expect(await tokens.find({ purpose: 'sign_up', ...read })).toBeUndefined();
  });

  test('leads who has an account, or cannot make one, to the page of the server', async () => {
    const email = anEmail();
    await usersOf(store).create(aUser({ id: randomUUID(), email }));
    const known = await invite(email, true);
    const closed = await invite(anEmail(), false);
    expect(known.link).toMatch(/\/mcp-router\/orders\/docs$/);
    expect(known.text).toContain('sign in with your account');
    expect(closed.link).toBe(known.link);
    expect(closed.text).toContain('The operator of this service makes it');
  });

  test('leads people of a company to its sign-in, and on to the server, without a password to choose', async () => {
    const company = { id: 'acme', name: 'Acme' };
    const email = anEmail();
    await usersOf(store).create(aUser({ id: randomUUID(), email }));
    for (const { link, text } of [
      await invite(anEmail(), true, { company }),
      await invite(email, false, { company }),
    ]) {
      expect(link).toMatch(/\/mcp-oauth-server\/sign-in\/acme\?server=orders$/);
      expect(text).toContain('Sign in with Acme: there is no password to choose.');
    }
    const none = await invite(anEmail(), false, { company });
    expect(none.text).toContain('The operator of this service makes it');
  });
});

test('an account that an operator has made is no forgotten password', async () => {
  const email = anEmail();
  await usersOf(store).create(aUser({ id: randomUUID(), email }));
  await send({ id: randomUUID(), purpose: 'account_made', email });
  const { subject, text, link } = (await mailsAt(store)).findLast(({ to }) => to === email)!;

  expect(subject).toBe('An account was made for you');
  expect(text).not.toContain('You asked');
  expect(link).toMatch(/\/reset\/confirm\?token=/);
});

describe('mails to one recipient', () => {
  test('are five in an hour and go on with the next one', async () => {
    const email = anEmail();
    clock.time = MIDNIGHT;
    for (let count = 0; count < 5; count += 1) await signUp(email);
    clock.time = MIDNIGHT + HOUR - 1;
    await signUp(email);
    expect(await countTo(email)).toBe(5);

    clock.time = MIDNIGHT + HOUR;
    await signUp(email);
    expect(await countTo(email)).toBe(6);
  });

  test('are twenty in a day and go on with the next one', async () => {
    const email = anEmail();
    for (let hour = 0; hour < 24; hour += 1) {
      clock.time = MIDNIGHT + hour * HOUR;
      for (let count = 0; count < 5; count += 1) await signUp(email);
    }
    expect(await countTo(email)).toBe(20);

    clock.time = MIDNIGHT + 24 * HOUR;
    await signUp(email);
    expect(await countTo(email)).toBe(21);
  });

  test('are sent and counted once when the same request comes again', async () => {
    const [email, id] = [anEmail(), randomUUID()];
    for (let count = 0; count < 6; count += 1) await signUp(email, id);
    for (let count = 0; count < 5; count += 1) await signUp(email);

    expect(await countTo(email)).toBe(1 + 4);
  });

  test('are logged without the address', async () => {
    const email = anEmail();
    lines.splice(0);
    await send({ id: 'a', purpose: 'reset_password', email });
    for (let count = 0; count < 6; count += 1) await signUp(email);

    expect(lines.map(({ outcome }) => outcome)).toEqual([
      'no_account',
      ...Array.from({ length: 5 }, () => 'sent'),
      'too_many',
    ]);
    expect(JSON.stringify(lines)).not.toContain(email);
  });
});

const outcomes = () => lines.flatMap(({ outcome }) => outcome ?? []);
const undeliverable = (email: string) =>
  dynamoUndeliverables(store.instance(), store.tableName('users')).find(email);
const simulated = (name: string) => `${name}+${randomUUID()}@simulator.amazonses.com`;

describe('a mail that comes back', () => {
  test.each([
    ['bounce', 'bounce', 0],
    ['suppressionlist', 'bounce', 0],
    ['complaint', 'complaint', 1],
  ])('is the last one to its address: %s', async (name, reason, arrived) => {
    const email = simulated(name);
    lines.splice(0);
    await signUp(email);
    expect(await countTo(email)).toBe(arrived);
    store.aws.calls.reset();
    await signUp(email);

    expect(outcomes()).toEqual(['sent', 'undeliverable']);
    expect(await undeliverable(email)).toEqual({ reason, since: NOON });
    expect(store.aws.calls.count({ operation: 'SendEmail' })).toBe(0);
    expect(lines).toContainEqual({ message: 'mail_feedback', reason, recorded: 1 });
    expect(JSON.stringify(lines)).not.toContain(email);
  });

  test('is none to an address that SES would refuse, and no failure either', async () => {
    lines.length = 0;
    await signUp(`a..${randomUUID()}@example.com`);
    expect(lines).toMatchObject([{ message: 'mail', outcome: 'undeliverable' }]);
  });

  test('is on the time line of the account, once', async () => {
    const email = simulated('bounce');
    const userId = randomUUID();
    await usersOf(store).create(aUser({ id: userId, email }));
    lines.splice(0);
    await signUp(email);
    await store.aws.eventsSettled();
    // EventBridge may bring an event again.
    clock.time = NOON + 1;
    await send(aBounce(email));

    const told = lines.filter(({ event }) => event === 'mail_undeliverable');
    expect(told).toEqual([
      {
        ...EVENT_LINE,
        type: 'security',
        event: 'mail_undeliverable',
        account_id: userId,
        subject: fingerprint(email),
        why: 'bounce',
      },
    ]);
    const activity = dynamoActivity(store.instance(), store.tableName('security-events'));
    const { events } = await activity.events({
      of: { accountId: userId },
      type: 'security',
      from: '2026',
      before: '2027',
      limit: 10,
    });
    expect(events).toMatchObject([{ details: { event: 'mail_undeliverable', why: 'bounce' } }]);
  });
});

/** What SES says of a bounce. */
const aBounce = (email: string, over: object = {}, mail: object = {}) => ({
  source: 'aws.ses',
  'detail-type': 'Email Bounced',
  detail: {
    eventType: 'Bounce',
    bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: email }], ...over },
    mail: {
      destination: [email],
      tags: { 'ses:configuration-set': [store.mailConfigurationSet] },
      ...mail,
    },
  },
});

describe('an event of SES', () => {
  test('about an address in another spelling counts for it', async () => {
    const email = anEmail();
    await send(aBounce(email.toUpperCase()));

    expect(await undeliverable(email)).toMatchObject({ reason: 'bounce' });
  });

  test.each<[string, (email: string) => object]>([
    ['a mailbox is full', (email) => aBounce(email, { bounceType: 'Transient' })],
    ['nobody knows why', (email) => aBounce(email, { bounceType: 'Undetermined' })],
    ['others sent it', (email) => aBounce(email, {}, { tags: {} })],
    [
      'it was sent with another configuration set',
      (email) => aBounce(email, {}, { tags: { 'ses:configuration-set': ['marketing'] } }),
    ],
    [
      'the mail went to somebody else',
      (email) => aBounce(email, {}, { destination: ['other@example.com'] }),
    ],
    ['it names nobody', (email) => aBounce(email, { bouncedRecipients: [] })],
  ])('changes nothing where %s', async (_, event) => {
    const email = anEmail();
    lines.splice(0);
    await send(event(email));

    expect(await undeliverable(email)).toBeUndefined();
    expect(lines).toMatchObject([{ message: 'mail_feedback', recorded: 0 }]);
  });

  test.each<[string, (email: string) => object, string]>([
    ['of another service', (email) => ({ ...aBounce(email), source: 'custom.app' }), 'source'],
    [
      'of another kind',
      (email) => ({ ...aBounce(email), 'detail-type': 'Email Opened' }),
      'detail-type',
    ],
    ['without details', (email) => ({ ...aBounce(email), detail: undefined }), 'detail'],
    [
      'of a mail without recipients',
      (email) => aBounce(email, {}, { destination: undefined }),
      'detail.mail.destination',
    ],
    [
      'whose recipients are no texts',
      (email) => aBounce(email, { bouncedRecipients: [{ emailAddress: { S: email } }] }),
      'detail.bounce.bouncedRecipients.0.emailAddress',
    ],
  ])('is refused, and changes nothing: %s', async (_, event, where) => {
    const email = anEmail();

    await expect(send(event(email))).rejects.toThrow(`not an event of SES: ${where}`);
    expect(await undeliverable(email)).toBeUndefined();
  });
});

describe('the sandbox of SES', () => {
  test('takes no mail to others: it fails, and the log says what to do', async () => {
    const sandbox = await startStore({ mailIdentities: ['example.com'], mailSandbox: true });
    try {
      const told: Readonly<Record<string, unknown>>[] = [];
      const log = { write: (line: Readonly<Record<string, unknown>>) => void told.push(line) };
      const sendThere = server({ ...wireMails(environmentOf(sandbox, 'mails')), clock, log });
      const wanted = { id: 'a', purpose: 'sign_up' };

      await expect(sendThere({ ...wanted, email: 'ada@example.net' })).rejects.toMatchObject({
        name: 'Fault',
        message: 'ses: MessageRejected',
      });
      expect(told).toEqual([
        {
          message: 'mail_rejected',
          level: 'error',
          purpose: 'sign_up',
          request_id: 'a',
          what: expect.stringContaining('verify each recipient too'),
        },
      ]);
      await sendThere({ ...wanted, email: 'ada@example.com' });
      await sendThere({ ...wanted, id: 'b', email: 'success@simulator.amazonses.com' });
      expect(await mailsAt(sandbox)).toHaveLength(2);
    } finally {
      await sandbox.stop();
    }
  });
});

describe('an event that is no request for a mail', () => {
  test.each([
    ['nothing', null, 'the event'],
    ['a request over HTTP', { routeKey: '$default' }, 'purpose'],
    ['another purpose', { id: 'a', purpose: 'advertisement', email: 'a@example.com' }, 'purpose'],
    ['two addresses', { id: 'a', purpose: 'sign_up', email: 'a@b.example, c@d.example' }, 'email'],
    [
      'a text of its own',
      { id: 'a', purpose: 'sign_up', email: 'a@example.com', text: 'x' },
      'the event',
    ],
  ])('is refused: %s', async (_, event, where) => {
    const before = (await mailsAt(store)).length;

    await expect(send(event)).rejects.toThrow(`not a request for a mail: ${where}`);
    expect(await mailsAt(store)).toHaveLength(before);
  });
});
