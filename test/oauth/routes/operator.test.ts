import { afterAll, describe, expect, test } from '@jest/globals';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { anOAuthService } from '../../support/oauth/oauth.ts';
import { mailTo, MAY_CHECK } from '../../support/oauth/people.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

const PASSWORD = 'a long enough passphrase';
const send = (event: unknown) => operatorCommands(service.ports)(event);
const provision = (more: object) =>
  send({ operator: 'provision-account', email: 'ops@example.com', plan: 'pro', ...more });

describe('provisioning an account as an operator', () => {
  test('creates an account with a plan and a working password', async () => {
    const answer = await provision({ email: 'New@Example.com', password: PASSWORD, name: 'New' });

    expect(answer).toMatchObject({
      ok: true,
      created: true,
      account: { email: 'new@example.com', plan: 'pro' },
    });
    const user = await service.ports.users.findByEmail('new@example.com');
    expect(user).toMatchObject({ name: 'New', plan: 'pro' });
    expect(await service.ports.passwords.verify(MAY_CHECK, PASSWORD, user?.passwordHash)).toBe(
      true,
    );
  });

  test('updates only the plan of an existing account', async () => {
    const first = await provision({ password: PASSWORD });
    const again = await provision({ password: 'another passphrase', plan: 'free' });

    expect(again).toMatchObject({
      created: false,
      account: { ...(first as { account: object }).account, plan: 'free' },
    });
    const user = await service.ports.users.findByEmail('ops@example.com');
    expect(await service.ports.passwords.verify(MAY_CHECK, PASSWORD, user?.passwordHash)).toBe(
      true,
    );
  });

  test('leaves the choice of the password to the reader of the mailbox', async () => {
    const email = 'invited@example.com';
    const answer = await provision({ email, byMail: true });
    const { link, to } = await mailTo(service, email);

    expect(answer).toMatchObject({ ok: true, created: true });
    expect(to).toBe(email);
    expect(link).toMatch(/token=/);
    expect(await provision({ email, byMail: true })).toMatchObject({ created: false });
  });

  test.each([
    ['no password', {}, '/password'],
    ['a common password', { password: 'unbelievable' }, '/password'],
    ['an invalid email address', { email: 'not an address', password: PASSWORD }, '/email'],
  ])('refuses a new account with %s', async (_, more, where) => {
    expect(await provision({ email: 'other@example.com', ...more })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      findings: [{ where }],
    });
  });
});

describe('an event that is not an operator command', () => {
  test.each([
    ['an empty event', undefined, 'operator: missing'],
    ['a command of another function', { operator: 'publish' }, 'operator: unknown'],
    ['a name of Object.prototype', { operator: 'toString' }, 'operator: unknown'],
    ['a command whose name is not a string', { operator: {} }, 'operator: unknown'],
    ['an unknown plan', { operator: 'provision-account', email: 'a@b.c', plan: 'gold' }, 'plan'],
  ])('is an error for %s', async (_, event, message) => {
    await expect(send(event)).rejects.toThrow(message);
  });
});

describe('setting a plan as an operator', () => {
  test('changes the plan of the account with the email address in any case', async () => {
    const user = await service.user({ email: 'plan@example.com', plan: 'free' });
    const command = { operator: 'set-plan', email: 'Plan@Example.com', plan: 'pro' };
    const account = { id: user.id, email: 'plan@example.com', plan: 'pro' };

    expect(await send(command)).toEqual({ ok: true, account });
    expect(await service.ports.users.find(user.id)).toEqual({ ...user, plan: 'pro', revision: 2 });
    expect(await send(command)).toEqual({ ok: true, account });
    expect(await service.ports.users.find(user.id)).toMatchObject({ revision: 2 });
  });

  test('is refused where no account has the email address', async () => {
    const command = { operator: 'set-plan', email: 'nobody@example.com', plan: 'pro' };
    expect(await send(command)).toMatchObject({ ok: false, code: 'not_found' });
  });

  test('is refused for an unknown plan', async () => {
    const command = { operator: 'set-plan', email: 'plan@example.com', plan: 'gold' };
    await expect(send(command)).rejects.toThrow('not a command of this function: plan: ');
  });
});

describe('making an operator', () => {
  test('marks the account, once, and ending it leaves nothing of it', async () => {
    const user = await service.user({ email: 'maker@example.com', plan: 'pro' });
    const email = 'Maker@Example.com';
    const account = { id: user.id, email: 'maker@example.com' };
    const stored = () => service.ports.users.find(user.id);

    const made = { ok: true, account: { ...account, operator: true } };
    expect(await send({ operator: 'make-operator', email })).toEqual(made);
    expect(await send({ operator: 'make-operator', email })).toEqual(made);
    expect(await stored()).toEqual({ ...user, operator: true, revision: 2 });
    expect(await service.ports.operatorMarks.has(user.id)).toBe(true);
    const ended = { ok: true, account: { ...account, operator: false } };
    expect(await send({ operator: 'end-operator', email })).toEqual(ended);
    expect(await send({ operator: 'end-operator', email })).toEqual(ended);
    expect(await stored()).toEqual({ ...user, revision: 3 });
    expect(await service.ports.operatorMarks.has(user.id)).toBe(false);
    expect(
      service.lines.filter(({ account_id: id }) => id === user.id).map(({ event }) => event),
    ).toEqual(['operator_made', 'operator_ended']);
  });

  test('survives another plan and another password, and no new account is one', async () => {
    const email = 'lasting@example.com';
    await provision({ email, password: PASSWORD });
    expect(await service.ports.users.findByEmail(email)).not.toHaveProperty('operator');
    await send({ operator: 'make-operator', email });
    await send({ operator: 'set-plan', email, plan: 'free' });
    await send({ operator: 'end-account', email });
    await provision({ email });

    expect(await service.ports.users.findByEmail(email)).toMatchObject({
      operator: true,
      plan: 'pro',
    });
  });

  test.each(['make-operator', 'end-operator'])(
    'is refused where there is no account: %s',
    async (operator) => {
      expect(await send({ operator, email: 'nobody@example.com' })).toMatchObject({
        ok: false,
        code: 'not_found',
      });
      await expect(send({ operator, email: 'a@b.example', plan: 'pro' })).rejects.toThrow(
        'not a command of this function',
      );
    },
  );
});
