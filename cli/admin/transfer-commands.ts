import { usageFailure } from '../failure.ts';
import { agree } from '../input/ask.ts';
import { listOf, stringOf, textOf, textsOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { adminCommand, allAnswers, YES } from './admin-command.ts';

const transfer = adminCommand({
  name: 'transfer',
  summary: "Gives an account's servers to another one, as they are",
  places: ['from', 'to'],
  options: {
    servers: { value: 'SLUGS', help: 'only these, between commas; all of them if omitted' },
    ...YES,
  },
  details: [
    'FROM is an address, or the id of an owner; TO is the address of an account. Addresses, clients and credentials stay.',
    "The former owner's own grants there end, and tokens that were minted for the servers. Plan and limits are those of TO.",
    'What was cut off is finished by the same command.',
  ],
  run: async ({ operate, output, ask, place }, { from, to }, { servers, yes }) => {
    if (!/^[^\s@]+@[^\s@]+$/.test(to)) throw usageFailure(`"${plain(to)}" is no e-mail address.`);
    const slugs = servers && [...new Set(servers.split(',').filter((one) => one !== ''))];
    const prepared = await operate('prepare-transfer', { from, to, ...(slugs && { slugs }) });
    const found = listOf(prepared.servers);
    const there = textsOf(prepared.there);
    const already = there.map((slug) => `${plain(slug)} is ${plain(to)}'s already.`);
    const names = found.map(({ slug }) => plainOf(slug));
    for (const { slug, lets_in: said } of found) {
      const settings = textsOf(said).map(plain).join(', ');
      if (settings === '') continue;
      output.note(`${plainOf(slug)} may let ${plain(from)} in as before (${settings}).`);
    }
    if (found.length > 0 && !yes) {
      const what = `${count(found.length, 'server')} of ${plain(from)} (${names.join(', ')})`;
      await agree(ask, `give ${what} to ${plain(to)} at ${place}`);
    }
    // Finishes what an interrupted command left of servers that were transferred before.
    for (const slug of there) await operate('transfer-deployment', { from, to, slug });
    if (found.length === 0) {
      const nothing = there.length > 0 ? [] : [`${plain(from)} has no server to transfer.`];
      return output.result({ from, to, transferred: [], there }, [...already, ...nothing]);
    }
    const transferred: string[] = [];
    for (const { slug } of found) {
      const answer = await operate('transfer-deployment', { from, to, slug });
      if (answer.transferred === true) transferred.push(String(slug));
      output.note(`${plainOf(slug)} is ${plain(to)}'s.`);
    }
    output.result({ from, to, transferred, there }, [
      ...already,
      `${count(transferred.length, 'server')} transferred; every instance knows within 15 seconds. Mails tell both.`,
      `Next: ${plain(to)} looks at who may use them, and replaces credentials that ${plain(from)} knows.`,
    ]);
  },
});

const SAID: ReadonlyMap<string, string> = new Map([
  ['left', 'has left'],
  ['ended', 'is ended'],
  ['sign_in_again', 'has not signed in with their company'],
  ['nobody_signs_in', 'nobody signs in to it'],
]);

const people = adminCommand({
  name: 'people',
  summary: 'Lists who has left with their company, and their servers',
  details: [
    'A company has ended somebody at its first refusal; a day later it is asked again, and they have left.',
    'Accounts that no password opens, and no company yet, are listed where they own servers.',
    'So are people of a broker (nobody asks it about them) whose last sign-in holds no more.',
  ],
  run: async ({ operate, output }) => {
    const answers = await allAnswers((after) => operate('ended-people', { after }));
    const accounts = answers.flatMap((answer) => listOf(answer.accounts));
    output.result(
      { accounts },
      accounts.length === 0
        ? ['Nobody.']
        : accounts.map(({ email, what, since, servers }) => {
            const names = textsOf(servers).map(plain).join(', ');
            const when = textOf(since) === undefined ? '' : ` since ${plainOf(since)}`;
            return `${plainOf(email)}: ${SAID.get(stringOf(what)) ?? plainOf(what)}${when}; ${names === '' ? 'no servers' : names}`;
          }),
    );
  },
});

export const adminTransferCommands = [transfer, people];
