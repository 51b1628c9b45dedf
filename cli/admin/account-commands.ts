import { PLANS } from '../../layers/limits/rules/plan.ts';
import { usageFailure } from '../failure.ts';
import { newSecretFrom } from '../input/ask.ts';
import { jsonOf, numberOf, stringOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { adminCommand, operation } from './admin-command.ts';

const account = adminCommand({
  name: 'account',
  summary: 'Makes an account, or puts the one of this address on a plan',
  places: ['email'],
  options: {
    plan: { value: 'PLAN', help: 'free (if omitted) or pro' },
    name: { value: 'NAME', help: 'what people see' },
    mail: { help: 'send a link to choose the password with, and ask for none here' },
    'password-stdin': { help: 'read the password from standard input' },
    'no-password': { help: 'make it without one, for somebody who signs in with their company' },
  },
  details: [
    'A new account needs a password: typed at a prompt, read from standard input, or chosen through a mailed link.',
    'An account that is there keeps its own, whatever is typed.',
  ],
  run: async ({ operate, output, ask }, { email }, { plan = 'free', name, mail, ...given }) => {
    const fromInput = given['password-stdin'];
    const without = given['no-password'];
    if ([mail, fromInput, without].filter(Boolean).length > 1) {
      throw usageFailure('Say one of --mail, --password-stdin and --no-password.');
    }
    const password =
      mail || without
        ? undefined
        : await newSecretFrom(ask, fromInput, '--password-stdin (or say --mail)', 'Password');
    const sent = {
      email,
      plan: planFrom(plan),
      name,
      ...(password !== undefined && { password }),
      ...(mail && { byMail: true }),
      ...(without && { withoutPassword: true }),
    };
    const answer = await operate('provision-account', sent);
    const { id, plan: now } = jsonOf(answer.account);
    const isMade = answer.created === true;
    output.result(answer, [
      isMade
        ? `${plain(email)} has an account now (id ${plainOf(id)}, plan ${plainOf(now)}).`
        : `${plain(email)} had an account (id ${plainOf(id)}); its plan is ${plainOf(now)}.`,
      ...(isMade && mail
        ? ['A mail with a link to choose the password is on its way. It is valid for an hour.']
        : []),
    ]);
  },
});

const plan = adminCommand({
  name: 'plan',
  summary: 'Puts an account and its servers on a plan',
  places: ['email', 'plan'],
  details: ['Tokens that are out keep the plan before for an hour at most.'],
  run: async ({ operate, output }, { email, plan: wanted }) => {
    const set = await operate('set-plan', { email, plan: planFrom(wanted) });
    const ownerId = stringOf(jsonOf(set.account).id);
    const { deployments, changed } = await operate('set-owner-plan', { ownerId, plan: wanted });
    output.result({ ...set, deployments, changed }, [
      `${plain(email)} is on the plan ${wanted}; ${count(numberOf(changed) ?? 0, 'deployment')} followed.`,
    ]);
  },
});

const makeOperator = operation({
  name: 'make-operator',
  summary:
    'Makes an account that of an operator: the console has pages for accounts, plans and blocks then',
  places: ['email'],
  details: [
    'The account has to be there. A console that is open shows the pages once it is loaded again. IAM has no',
    'say in what is done there: end-operator ends it at once.',
  ],
  sends: 'make-operator',
  lines: (_, { email }) => [`${email} is an operator at the console.`],
});

const endOperator = operation({
  name: 'end-operator',
  summary: 'Takes operator rights from an account, at once',
  places: ['email'],
  details: ['Its sessions stay: see end-account.'],
  sends: 'end-operator',
  lines: (_, { email }) => [`${email} is no operator at the console.`],
});

const mails = adminCommand({
  name: 'mails',
  summary: 'Tells whether mails are sent to an address; none are once one came back',
  places: ['email'],
  options: { 'send-again': { help: 'have them sent again' } },
  run: async ({ operate, output }, { email }, given) => {
    const shown = plain(email);
    if (given['send-again']) {
      const answer = await operate('allow-mails', { email });
      return output.result(answer, [
        answer.lifted === true
          ? `Mails are sent to ${shown} again.`
          : `Mails were sent to ${shown} all along.`,
      ]);
    }
    const answer = await operate('mail-status', { email });
    const { deliverable, reason, since } = answer;
    output.result(answer, [
      deliverable === true
        ? `Mails are sent to ${shown}.`
        : `No mails are sent to ${shown} since ${isoTime(since)}: ${plain(String(reason))}. npx --no-install hosted-mcp admin mails ${shown} --send-again changes that.`,
    ]);
  },
});

const isoTime = (at: unknown): string =>
  typeof at === 'number' ? new Date(at * 1000).toISOString() : 'an unknown time';

const planFrom = (text: string): string => {
  if (PLANS.some((one) => one === text)) return text;
  throw usageFailure(`The plan is ${PLANS.join(' or ')}, not "${text}".`);
};

const forgetIdentity = operation({
  name: 'forget-identity',
  summary: "Unlinks an account from all identities of a company's identity provider",
  places: ['email'],
  options: { issuer: { value: 'URL', help: 'of one provider only; of all if omitted' } },
  details: [
    'For a person whom the provider has given another subject: the next one that it vouches for with this address',
    'finds the account, and all that is in it. So make sure that the address was not given to somebody else.',
  ],
  sends: 'forget-identities',
  sent: ({ email }, { issuer }) => ({ email, issuer }),
  agree: (place, { email }) => `let another subject have the account ${email} at ${place}`,
  lines: ({ issuers }, { email }) => {
    const names = Array.isArray(issuers) ? issuers.map((one) => plain(String(one))) : [];
    return [
      names.length > 0
        ? `${email} is no longer linked to ${names.join(', ')}; the next subject with this address will be. What was granted before lasts an hour at most.`
        : `${email} was known to no such provider.`,
    ];
  },
});

export const adminAccountCommands = [
  account,
  plan,
  makeOperator,
  endOperator,
  mails,
  forgetIdentity,
];
