import { EXIT } from '../failure.ts';
import { type Json, jsonOf, listOf, stringOf, textOf, textsOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { adminCommand } from './admin-command.ts';

const MARKS: ReadonlyMap<string, string> = new Map([
  ['good', 'ok'],
  ['unsure', '?'],
  ['wrong', 'WRONG'],
]);

const checkProvider = adminCommand({
  name: 'check-provider',
  summary: 'Asks an identity provider whether all is as the applied list has it',
  places: ['id'],
  details: [
    'Its metadata and keys, its scopes, and the secret: that is shown to it with a code that is none.',
    'Nobody is signed in. With something wrong the exit code is 1, so that a daily job can run it.',
  ],
  run: async ({ operate, output }, { id }) => {
    const { ok: _, ...answer } = await operate('check-provider', { provider: id });
    const checks = listOf(answer.checks);
    const uri = textOf(answer.redirect_uri);
    output.result(answer, [
      ...checks.map(
        ({ check, outcome, says }) =>
          `${(MARKS.get(stringOf(outcome)) ?? '?').padEnd(5)}  ${plainOf(check)}: ${plainOf(says)}`,
      ),
      ...(uri === undefined ? [] : [`Redirect URI to register there: ${plainOf(uri)}`]),
    ]);
    return checks.some(({ outcome }) => outcome === 'wrong') ? EXIT.refused : EXIT.ok;
  },
});

const person = adminCommand({
  name: 'person',
  summary: 'Says how somebody of an address gets in, and what may be in the way',
  places: ['email'],
  details: ['What a page has refused stands in the log, with the reference that the page shows.'],
  run: async ({ operate, output }, { email }) => {
    const { ok: _, ...answer } = await operate('show-person', { email });
    const { account, identities, says } = answer;
    const { id, plan, operator } = jsonOf(account);
    output.result(answer, [
      account === undefined
        ? `${plain(email)} has no account.`
        : `${plain(email)} has an account (id ${plainOf(id)}, plan ${plainOf(plan)}${operator === true ? ', an operator' : ''}).`,
      ...textsOf(says).map(plain),
      ...listOf(identities).flatMap((one) => ['', ...factsOf(one)]),
    ]);
  },
});

const factsOf = (identity: Json): readonly string[] =>
  Object.entries(identity).map(([name, value]) => `${plain(name)}: ${plain(String(value))}`);

export const adminCheckProviderCommands = [checkProvider, person];
