import { member } from '../../layers/platform/rules/json/json.ts';
import { usageFailure } from '../failure.ts';
import { agree, secretFrom, textFrom } from '../input/ask.ts';
import { type Json, jsonOf, listOf, parsed, stringOf, textsOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { table } from '../text/table.ts';
import { adminCommand, YES } from './admin-command.ts';
import { outlookLines } from './outlook.ts';

const show = adminCommand({
  name: 'providers',
  summary: 'Shows the identity providers whose word is taken',
  details: ['With --json: the list as it can be changed and applied again.'],
  run: async ({ operate, output }) => {
    const { providers, passwords, breakGlass, revision } = await operate('show-providers');
    const list = listOf(providers);
    const kept = listOf(breakGlass).map(({ email }) => plainOf(email));
    output.result(
      // Endpoints are left out, since they are read from metadata when the list is applied.
      { providers: list.map(asWritten), passwords, break_glass: kept, revision },
      [
        ...(list.length === 0
          ? ['No identity provider is named: people sign in with their password.']
          : table(list, {
              id: 'id',
              name: 'name',
              issuer: 'issuer',
              domains: ({ email_domains: domains }) => textsOf(domains).join(', '),
              servers: serversOf,
              'sign-in': ({ sign_in: signIn }) => signInInWords(jsonOf(signIn)),
              accounts: ({ create_accounts: creates }) =>
                creates === true ? 'made at first sight' : 'made by operators',
              passwords: passwordsInWords,
            })),
        ...(passwords === 'off' ? ['Passwords are off.'] : []),
        ...(kept.length > 0 ? [`Kept for emergencies: ${kept.join(', ')}.`] : []),
      ],
    );
  },
});

const asWritten = (provider: Json): Json =>
  Object.fromEntries(Object.entries(provider).filter(([name]) => name !== 'endpoints'));

const signInInWords = ({ client_id: client, secret_ends: ends }: Json): string => {
  if (client === undefined) return 'no';
  return ends === undefined ? 'yes' : `yes, its secret ends on ${stringOf(ends)}`;
};

const passwordsInWords = ({ passwords, exceptions }: Json): string => {
  if (passwords !== 'refused') return 'good';
  const except = textsOf(exceptions);
  return except.length === 0 ? 'refused' : `refused, but for ${except.join(', ')}`;
};

const serversOf = ({ deployments }: Json): string =>
  typeof deployments === 'string' ? deployments : textsOf(deployments).join(', ');

const apply = adminCommand({
  name: 'apply-providers',
  summary: 'Makes the identity providers those of a file, and shows the difference first',
  places: ['file'],
  options: YES,
  details: [
    'The file is a JSON list of all of them: docs/access.md has its members. One that is left out is not believed',
    'any more. - reads standard input. It holds within 15 seconds.',
  ],
  run: async ({ operate, output, ask, place }, { file }, { yes }) => {
    const providers = parsed(await textFrom(ask, file));
    if (providers === undefined) throw usageFailure(`${plain(file)} is not JSON.`);
    const { ok: _, changes, ...prepared } = await operate('prepare-providers', { providers });
    const lines = listOf(changes).map((one) => changeInWords(one, listOf(prepared.providers)));
    if (listOf(changes).every(({ what }) => what === 'same')) {
      return output.result({ changes, applied: false }, ['Nothing differs: nothing is applied.']);
    }
    for (const line of lines) output.note(line);
    const outlook = await outlookLines(operate, { providers: prepared.providers });
    for (const line of outlook) output.note(line);
    if (!yes) await agree(ask, `apply this list of identity providers at ${place}`);
    const applied = await operate('apply-providers', prepared);
    output.result({ changes, applied: true, revision: applied.revision }, [
      'The list is applied: it holds within 15 seconds.',
    ]);
  },
});

const changeInWords = ({ id, what, members }: Json, providers: readonly Json[]): string => {
  const name = plainOf(id);
  const provider = jsonOf(providers.find((one) => one.id === id));
  switch (what) {
    case 'added':
      return `+ ${name}: ${plainOf(provider.issuer)}, keys at ${plainOf(provider.jwks_uri)}`;
    case 'changed':
      return `~ ${name}: ${textsOf(members)
        .map((one) => `${plain(one)} is ${plain(JSON.stringify(member(provider, one)) ?? 'gone')}`)
        .join(', ')}`;
    case 'removed':
      return `- ${name}: its word is not taken any more`;
    default:
      return `  ${name}: ${stringOf(what)}`;
  }
};

const secret = adminCommand({
  name: 'provider-secret',
  summary: "Sets the secret of this service's client at an identity provider",
  places: ['id'],
  options: { 'secret-stdin': { help: 'read the secret from standard input' } },
  details: [
    'Apply the list with its sign_in first. The secret is sealed for one function.',
    'That one sends it to the token endpoint of this provider alone.',
  ],
  run: async ({ operate, output, ask }, { id }, { 'secret-stdin': fromInput }) => {
    const given = await secretFrom(ask, fromInput, '--secret-stdin', 'Client secret');
    const { provider } = await operate('set-provider-secret', { provider: id, secret: given });
    output.result({ provider }, [`The secret of ${plainOf(provider)} is stored.`]);
  },
});

export const adminProviderCommands = [show, apply, secret];
