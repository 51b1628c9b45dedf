import { usageFailure } from '../failure.ts';
import { agree } from '../input/ask.ts';
import { type Json, listOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { adminCommand, YES } from './admin-command.ts';
import { outlookLines } from './outlook.ts';

const passwords = adminCommand({
  name: 'passwords',
  summary: 'Has passwords on or off for everybody, but for accounts that break-glass keeps',
  places: ['state'],
  options: YES,
  details: [
    'STATE is on or off. Off: people sign in with their company. An account that is kept for emergencies opens by',
    'its password; any other is told that it is wrong. It holds within 15 seconds, and ends no session or token.',
  ],
  run: async ({ operate, output, ask, place }, { state }, { yes }) => {
    if (state !== 'on' && state !== 'off') throw usageFailure('STATE is on or off.');
    const change = { passwords: state };
    const { ok: _, accounts, ...prepared } = await operate('prepare-passwords', change);
    if (state === 'off') {
      const outlook = await outlookLines(operate, change);
      for (const line of [...outlook, ...keptInWords(listOf(accounts))]) output.note(line);
    }
    if (!yes) await agree(ask, `have passwords ${state} at ${place}`);
    const applied = await operate('apply-passwords', prepared);
    output.result({ passwords: applied.passwords, revision: applied.revision }, [
      `Passwords are ${state} within 15 seconds.`,
    ]);
  },
});

const keptInWords = (accounts: readonly Json[]): readonly string[] =>
  accounts.length === 0
    ? [
        'No account is kept for emergencies: while no provider answers, nobody gets in. Keep one: npx --no-install hosted-mcp admin break-glass EMAIL.',
      ]
    : [`Opened by a password still: ${emailsOf(accounts)}.`];

const emailsOf = (accounts: readonly Json[]): string =>
  accounts.map(({ email }) => plainOf(email)).join(', ');

const breakGlass = adminCommand({
  name: 'break-glass',
  summary: 'Keeps an account for emergencies: its password opens it even where passwords are off',
  places: ['email'],
  options: { end: { help: 'keep it no more' } },
  details: [
    'At most five, of addresses outside the domains of all identity providers, made by admin account. Each sign-in',
    'to one is an event and an alarm, and is mailed to all of them. No second factor stands before them.',
  ],
  run: async ({ operate, output }, { email }, { end }) => {
    const change = { email, end: end === true };
    const { ok: _, accounts, ...prepared } = await operate('prepare-break-glass', change);
    await operate('apply-passwords', prepared);
    const kept = listOf(accounts);
    output.result({ accounts: kept, passwords: prepared.passwords }, [
      end
        ? `${plain(email)} is kept for emergencies no more.`
        : `${plain(email)} is kept for emergencies: its password opens it where no company signs anybody in.`,
      kept.length === 0 ? 'None is kept now.' : `Kept now: ${emailsOf(kept)}.`,
    ]);
  },
});

export const adminPasswordCommands = [passwords, breakGlass];
