import type { Command } from '../command.ts';
import { newSecretFrom } from '../input/secrets.ts';
import { usageFailure } from '../failure.ts';
import { jsonOf, numberOf, textOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { adminCommand } from './admin-command.ts';

const account = adminCommand({
  name: 'account',
  summary: 'Makes an account, or puts the one of this address on a plan',
  places: ['email'],
  options: {
    plan: { value: 'PLAN', help: 'free (if omitted) or pro' },
    name: { value: 'NAME', help: 'what people see' },
    mail: { help: 'send a link to choose the password with, and ask for none here' },
    'password-stdin': { help: 'read the password from standard input' },
  },
  details: [
    'A new account needs a password: typed at a prompt, read from standard input, or chosen through a mailed link.',
    'An account that is there keeps its own, whatever is typed.',
  ],
  run: async ({ operate, output, ask }, { email }, { plan = 'free', name, mail, ...given }) => {
    const fromInput = given['password-stdin'];
    if (mail && fromInput) throw usageFailure('Say either --mail or --password-stdin.');
    const password = mail
      ? undefined
      : await newSecretFrom(ask, fromInput, '--password-stdin (or say --mail)', 'Password');
    const sent = { email, plan: planFrom(plan), name, ...(mail ? { byMail: true } : { password }) };
    const answer = await operate('provision-account', sent);
    const { id, plan: now } = jsonOf(answer['account']);
    const made = answer['created'] === true;
    output.result(answer, [
      made
        ? `${plain(email)} has an account now (id ${plain(String(id))}, plan ${plain(String(now))}).`
        : `${plain(email)} had an account (id ${plain(String(id))}); its plan is ${plain(String(now))}.`,
      ...(made && mail
        ? ['A mail with a link to choose the password is on its way. It is valid for an hour.']
        : []),
    ]);
  },
});

const plan = adminCommand({
  name: 'plan',
  summary: 'Puts an account and its servers on a plan',
  places: ['email', 'plan'],
  options: {},
  details: ['Tokens that are out keep the plan before for an hour at most.'],
  run: async ({ operate, output }, { email, plan: wanted }) => {
    const set = await operate('set-plan', { email, plan: planFrom(wanted) });
    const ownerId = textOf(jsonOf(set['account'])['id']) ?? '';
    const { deployments, changed } = await operate('set-owner-plan', { ownerId, plan: wanted });
    output.result({ ...set, deployments, changed }, [
      `${plain(email)} is on the plan ${wanted}; ${count(numberOf(changed) ?? 0, 'deployment')} followed.`,
    ]);
  },
});

const makeOperator = adminCommand({
  name: 'make-operator',
  summary:
    'Makes an account that of an operator: the console has pages for accounts, plans and blocks then',
  places: ['email'],
  options: {},
  details: [
    'The account has to be there. A console that is open shows the pages once it is loaded again. IAM has no',
    'say in what is done there: end-operator ends it at once.',
  ],
  run: async ({ operate, output }, { email }) => {
    const answer = await operate('make-operator', { email });
    output.result(answer, [`${plain(email)} is an operator at the console.`]);
  },
});

const endOperator = adminCommand({
  name: 'end-operator',
  summary: 'Takes operator rights from an account, at once',
  places: ['email'],
  options: {},
  details: ['Its sessions stay: see end-account.'],
  run: async ({ operate, output }, { email }) => {
    const answer = await operate('end-operator', { email });
    output.result(answer, [`${plain(email)} is no operator at the console.`]);
  },
});

const mails = adminCommand({
  name: 'mails',
  summary: 'Tells whether mails are sent to an address; none are once one came back',
  places: ['email'],
  options: { 'send-again': { help: 'have them sent again' } },
  run: async ({ operate, output }, { email }, given) => {
    if (given['send-again']) {
      const answer = await operate('allow-mails', { email });
      output.result(answer, [
        answer['lifted'] === true
          ? `Mails are sent to ${plain(email)} again.`
          : `Mails were sent to ${plain(email)} all along.`,
      ]);
      return;
    }
    const answer = await operate('mail-status', { email });
    const { deliverable, reason, since } = answer;
    output.result(answer, [
      deliverable === true
        ? `Mails are sent to ${plain(email)}.`
        : `No mails are sent to ${plain(email)} since ${isoTime(since)}: ${plain(String(reason))}. npx hosted-mcp admin mails ${plain(email)} --send-again changes that.`,
    ]);
  },
});

const isoTime = (at: unknown): string =>
  typeof at === 'number' ? new Date(at * 1000).toISOString() : 'an unknown time';

const PLANS = ['free', 'pro'];

const planFrom = (text: string): string => {
  if (PLANS.includes(text)) return text;
  throw usageFailure(`The plan is ${PLANS.join(' or ')}, not "${text}".`);
};

export const adminAccountCommands: readonly Command[] = [
  account,
  plan,
  makeOperator,
  endOperator,
  mails,
];
