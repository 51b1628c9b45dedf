import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { mailsAt } from '../../support/oauth/people.ts';
import { startWholeService } from '../../support/service/whole-service.ts';

const service = await startWholeService();
afterEach(() => service.aws.faults.clear());
afterAll(() => service.stop());

const PASSWORD = 'kestrel umbrella fog';
const SEND_MAIL = { caller: 'mails', operation: 'SendEmail' };

const post = (path: string, body: object): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const anEmail = (): string => `${randomUUID()}@example.com`;

const mailsTo = async (email: string) => (await mailsAt(service)).filter(({ to }) => to === email);

describe('a request for a mail', () => {
  test('is answered before the mail is sent', async () => {
    const email = anEmail();
    service.aws.faults.inject({ kind: 'delay', ms: 400, on: SEND_MAIL });
    service.aws.calls.reset();
    const asked = await post('/accounts', { email });

    expect(asked.status).toBe(202);
    expect(service.aws.calls.count({ operation: 'SendEmail' })).toBe(0);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  /** What the world, and whoever measures the function, can see of a request. */
  const seen = async (path: string, email: string) => {
    await service.aws.eventsSettled();
    service.aws.calls.reset();
    const answer = await post(path, { email });
    await service.aws.eventsSettled();
    const headers = new Headers(answer.headers);
    for (const own of ['date', 'x-request-id', 'apigw-requestid']) headers.delete(own);
    const calls = service.aws.calls
      .list()
      .filter(({ caller }) => caller === 'oauth')
      .toSorted((one, other) => one.operation.localeCompare(other.operation));
    return { status: answer.status, headers: [...headers], body: await answer.text(), calls };
  };

  test.each(['/accounts', '/accounts/resend-verification', '/accounts/password-reset'])(
    'to %s tells by nothing whether there is an account',
    async (path) => {
      const { email } = await service.person();
      // The first request makes clients of AWS, and the counter of the hour.
      await seen(path, anEmail());

      const known = await seen(path, email);
      expect(known).toEqual(await seen(path, anEmail()));
      expect(known.status).toBe(202);
      expect(known.calls.map(({ operation }) => operation)).toEqual(['Invoke', 'UpdateItem']);
    },
  );

  test('for a new password sends one to the account, and nothing to an address without', async () => {
    const { email } = await service.person();
    const nobody = anEmail();
    for (const to of [email, nobody]) await post('/accounts/password-reset', { email: to });

    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(['Choose a new password']);
    expect(await mailsTo(nobody)).toEqual([]);
  });

  test('is refused alike for everybody while the function for mails cannot be invoked', async () => {
    const { email } = await service.person();
    service.aws.faults.inject({ kind: 'fail', on: { caller: 'oauth', operation: 'Invoke' } });
    const refused = [];
    for (const to of [email, anEmail()]) {
      const { status, body } = await seen('/accounts/password-reset', to);
      refused.push({ status, body });
    }

    expect(refused[0]?.status).toBe(503);
    expect(refused[0]).toEqual(refused[1]);
  });
});

describe('the sixth mail to one recipient within an hour', () => {
  test('is not sent, of whatever kinds they are, and nothing says so', async () => {
    const { email } = await service.person();
    const statuses = [];
    for (const path of ['', '/password-reset', '', '/password-reset', '', '/password-reset']) {
      statuses.push((await post(`/accounts${path}`, { email })).status);
    }

    const subjects = (await mailsTo(email)).map(({ subject }) => subject);
    expect(subjects).toHaveLength(5);
    expect(new Set(subjects).size).toBe(2);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 202]);
  });

  test('leaves the link of the fifth as good as it was', async () => {
    const email = anEmail();
    for (let count = 0; count < 6; count += 1) {
      await post('/accounts', { email });
      await service.aws.eventsSettled();
    }
    const mails = await mailsTo(email);
    const { token } = mails.at(-1) ?? {};

    expect(mails).toHaveLength(5);
    expect((await post('/accounts/verify', { token, password: PASSWORD })).status).toBe(200);
  });

  test('is not sent either if all are requested at once', async () => {
    const email = anEmail();
    await Promise.all(Array.from({ length: 12 }, () => post('/accounts', { email })));

    expect(await mailsTo(email)).toHaveLength(5);
  });

  test('is another one for each recipient', async () => {
    const [one, other] = [anEmail(), anEmail()];
    for (let count = 0; count < 6; count += 1) await post('/accounts', { email: one });
    await post('/accounts', { email: other });

    expect(await mailsTo(other)).toHaveLength(1);
  });
});

describe('a mail that cannot be sent', () => {
  test('is tried twice more', async () => {
    const email = anEmail();
    // The client of AWS tries twice itself.
    service.aws.faults.inject({ kind: 'fail', on: SEND_MAIL, times: 4 });
    await post('/accounts', { email });

    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('stays in the queue after that, with the address and no link', async () => {
    const email = anEmail();
    const before = (await service.aws.queued('unsent-mails')).length;
    const end = service.aws.faults.inject({ kind: 'fail', on: SEND_MAIL });
    service.aws.calls.reset();
    await post('/accounts', { email });
    await service.aws.eventsSettled();
    end();

    const [failed, ...more] = (await service.aws.queued('unsent-mails')).slice(before);
    expect(more).toEqual([]);
    expect(failed).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      responseContext: { functionError: 'Unhandled' },
    });
    expect(failed).toHaveProperty('requestPayload', {
      id: expect.any(String),
      purpose: 'sign_up',
      email,
    });
    expect(JSON.stringify(failed)).not.toMatch(/token|verify|[\w-]{43}/);
    expect(service.aws.calls.count({ caller: 'mails', operation: 'PutItem' })).toBe(3);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('counts once toward the limit, however often it was tried', async () => {
    const email = anEmail();
    const end = service.aws.faults.inject({ kind: 'fail', on: SEND_MAIL });
    await post('/accounts', { email });
    await service.aws.eventsSettled();
    end();
    for (let count = 0; count < 5; count += 1) await post('/accounts', { email });

    expect(await mailsTo(email)).toHaveLength(4);
  });
});

describe('what is logged of mails', () => {
  test('holds neither address nor link', async () => {
    const email = anEmail();
    await post('/accounts', { email });
    const [mail] = await mailsTo(email);
    const kept = await service.kept();
    const logs = kept.flatMap(([where, text]) => (where.endsWith('.log') ? [text] : [])).join('\n');

    expect(logs).toContain('"outcome":"sent"');
    expect(logs).not.toContain(email);
    expect(logs).not.toContain(mail?.token);
  });
});

describe('an address that bounced', () => {
  test('gets no further mails, whoever requests them, until an operator allows them', async () => {
    const email = `bounce+${randomUUID()}@simulator.amazonses.com`;
    const sent = () => service.aws.calls.count(SEND_MAIL);
    const ask = async () => {
      expect((await post('/accounts', { email })).status).toBe(202);
      await service.aws.eventsSettled();
    };
    service.aws.calls.reset();
    await ask();
    await ask();
    expect(sent()).toBe(1);

    const operate = (operator: string) => service.operate({ operator, email }, 'maintenance');
    expect(await operate('mail-status')).toMatchObject({ deliverable: false, reason: 'bounce' });
    expect(await operate('allow-mails')).toEqual({ lifted: true });
    await ask();
    expect(sent()).toBe(2);
  });
});
