import { type Json, jsonOf, listOf, numberOf, textsOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { allAnswers } from './admin-command.ts';
import type { Operate } from './operate.ts';

/** Identity providers and passwords, as functions answer them; missing members stay unchanged. */
type Next = Json;

const MOST_NAMED = 20;

/** Warns of people who would lose their way in. @param change - members that differ from the current state */
export const outlookLines = async (operate: Operate, change: Next): Promise<readonly string[]> => {
  const { ok: _, revision: __, ...shown } = await operate('show-providers');
  const before = { ...shown, breakGlass: listOf(shown.breakGlass).map(({ id }) => id) };
  const next = { ...before, ...change };
  const answers = await allAnswers((after) => operate('provider-outlook', { before, next, after }));
  const accounts = answers.flatMap((answer) => listOf(answer.accounts));
  return [
    ...KINDS.flatMap(([kind, words]) => kindInWords(accounts, kind, words)),
    ...withoutNewcomers(jsonOf(next)),
  ];
};

const KINDS = [
  [
    'operator_locked_out',
    'Operators who have no way in any more (admin link, or an address in exceptions)',
  ],
  ['ended', 'People whose provider goes, and who cannot sign in any more'],
  [
    'password_lost',
    'Accounts with servers or tokens that nobody has signed in to with a company: where nobody does, their servers have no owner',
  ],
] as const;

const kindInWords = (accounts: readonly Json[], kind: string, words: string): readonly string[] => {
  const these = accounts.filter(({ what }) => what === kind);
  if (these.length === 0) return [];
  const named = these.slice(0, MOST_NAMED).map(accountInWords).join(', ');
  const more = these.length - MOST_NAMED;
  return [`! ${words}: ${named}${more > 0 ? `, and ${more} more` : ''}.`];
};

const accountInWords = ({ email, servers, tokens }: Json): string => {
  const has = [
    ...((numberOf(servers) ?? 0) > 0 ? [count(numberOf(servers) ?? 0, 'server')] : []),
    ...((numberOf(tokens) ?? 0) > 0 ? [count(numberOf(tokens) ?? 0, 'token')] : []),
  ];
  return has.length === 0 ? plainOf(email) : `${plainOf(email)} (${has.join(', ')})`;
};

/** Providers whose new people could get no account: neither by password nor at sign-in. */
const withoutNewcomers = ({ providers, passwords }: Json): readonly string[] =>
  listOf(providers)
    .filter((one) => one.sign_in !== undefined && one.create_accounts !== true)
    .filter((one) => one.passwords === 'refused' || passwords === 'off')
    .map(
      ({ name, email_domains: domains }) =>
        `! ${plainOf(name)} makes no accounts (create_accounts): new people of ${textsOf(domains).map(plain).join(', ')} have no way in until an operator makes theirs (npx --no-install hosted-mcp admin account EMAIL --no-password).`,
    );
