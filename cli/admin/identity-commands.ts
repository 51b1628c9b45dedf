import type { Command } from '../command.ts';
import { plain } from '../text/plain.ts';
import { adminCommand } from './admin-command.ts';
import { agree } from './agree.ts';

const forgetIdentity = adminCommand({
  name: 'forget-identity',
  summary: "Unlinks an account from all identities of a company's identity provider",
  places: ['email'],
  options: {
    issuer: { value: 'URL', help: 'of one provider only; of all if omitted' },
    yes: { help: 'do not ask' },
  },
  details: [
    'For a person whom the provider has given another subject: the next one that it vouches for with this address',
    'finds the account, and all that is in it. So make sure that the address was not given to somebody else.',
  ],
  run: async ({ operate, output, ask, place }, { email }, { issuer, yes }) => {
    if (!yes) await agree(ask, `let another subject have the account ${plain(email)} at ${place}`);
    const answer = await operate('forget-identities', { email, issuer });
    const { issuers } = answer;
    const issuerNames = Array.isArray(issuers) ? issuers.map((one) => plain(String(one))) : [];
    output.result(answer, [
      issuerNames.length > 0
        ? `${plain(email)} is no longer linked to ${issuerNames.join(', ')}; the next subject with this address will be. What was granted before lasts an hour at most.`
        : `${plain(email)} was known to no such provider.`,
    ]);
  },
});

export const adminIdentityCommands: readonly Command[] = [forgetIdentity];
