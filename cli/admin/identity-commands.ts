import type { Command } from '../command.ts';
import { plain } from '../text/plain.ts';
import { adminCommand } from './admin-command.ts';
import { agree } from './agree.ts';

const forgetIdentity = adminCommand({
  name: 'forget-identity',
  summary: "Has an account belong to nobody that a company's identity provider knows",
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
    const told = Array.isArray(issuers) ? issuers.map((one) => plain(String(one))) : [];
    output.result(answer, [
      told.length > 0
        ? `${plain(email)} is known to ${told.join(', ')} no more; the next subject of this address is. What was granted before lasts an hour at most.`
        : `${plain(email)} was known to no such provider.`,
    ]);
  },
});

export const adminIdentityCommands: readonly Command[] = [forgetIdentity];
