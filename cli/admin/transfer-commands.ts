import type { Command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { agree } from '../input/ask.ts';
import { listOf, textsOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { adminCommand } from './admin-command.ts';

const transfer = adminCommand({
  name: 'transfer',
  summary: "Gives an account's servers to another one, as they are",
  places: ['from', 'to'],
  options: {
    servers: { value: 'SLUGS', help: 'only these, between commas; all of them if omitted' },
    yes: { help: 'do not ask' },
  },
  details: [
    'FROM is an address, or the id of an owner; TO is the address of an account. Addresses, clients and credentials stay.',
    "The former owner's own grants there end, and tokens that were minted for the servers. Plan and limits are those of TO.",
    'What was cut off is finished by the same command.',
  ],
  run: async ({ operate, output, ask, place }, { from, to }, { servers, yes }) => {
    if (!/^[^\s@]+@[^\s@]+$/.test(to)) throw usageFailure(`"${plain(to)}" is no e-mail address.`);
    const slugs = servers?.split(',').filter((one) => one !== '');
    const prepared = await operate('prepare-transfer', { from, to, ...(slugs && { slugs }) });
    const found = listOf(prepared.servers);
    const there = textsOf(prepared.there);
    const already = there.map((slug) => `${plain(slug)} is ${plain(to)}'s already.`);
    if (found.length === 0) {
      const nothing = there.length > 0 ? [] : [`${plain(from)} has no server to transfer.`];
      return output.result({ from, to, transferred: [], there }, [...already, ...nothing]);
    }
    const names = found.map(({ slug }) => plainOf(slug));
    if (!yes) {
      const what = `${count(found.length, 'server')} of ${plain(from)} (${names.join(', ')})`;
      await agree(ask, `give ${what} to ${plain(to)} at ${place}`);
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

export const adminTransferCommands: readonly Command[] = [transfer];
