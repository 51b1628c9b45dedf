import { withFile } from '../commands/account.ts';
import { agree } from '../input/ask.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { OUT, STANDARD, requireFree, writeNew } from '../files.ts';
import { type Json, jsonOf, listOf, textOf, textsOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { adminCommand, allAnswers, YES } from './admin-command.ts';
import type { Operate } from './operate.ts';

const ID = {
  id: {
    value: 'ID,...',
    help: 'of accounts that were removed, where no row names the address any more',
  },
} as const;

const exportPerson = adminCommand({
  name: 'export',
  summary: 'Writes all that is stored about a person, as JSON',
  places: ['email'],
  options: {
    ...ID,
    out: { ...OUT, help: 'write it there, for you alone to read; - is standard output' },
  },
  details: [
    'What the account itself could export, and what the tables hold besides: sessions, grants, mails, failed',
    'sign-ins, counts, events and calls, also of an account that is removed. No password, token or credential',
    'is in it. It reads whole tables: about a quarter of an hour for each gigabyte of calls. Logs, backups: docs/privacy.md.',
  ],
  run: async ({ operate, output, world }, { email }, { id, out }) => {
    if (out !== undefined && out !== STANDARD) await requireFree(out);
    const ids = await idsOf(operate, email, id);
    const parts = await allAnswers((after) => operate('export-account', { email, after }));
    const account = parts.flatMap((answer) => listOf(answer.items)).map(withFile);
    const found = await allAnswers((after) => operate('export-records', { email, ids, after }));
    const records = found.flatMap((answer) => listOf(answer.items));
    const at = new Date(world.now() * 1000).toISOString();
    const exported = { email, ids, at, account, records };
    const text = JSON.stringify(exported, undefined, 2);
    if (out === undefined || out === STANDARD) return output.result(exported, [text]);
    // The file is private, since it is about somebody else; no existing file is overwritten.
    await writeNew(new Map([[out, `${text}\n`]]), 0o600);
    output.result({ email, ids, out, account: account.length, records: records.length }, [
      `${plain(out)}: ${count(account.length, 'part')} of the account, ${count(records.length, 'record')} besides.`,
    ]);
  },
});

const erase = adminCommand({
  name: 'erase',
  summary: 'Erases a person: the account with all it owns, and every record about them',
  places: ['email'],
  options: { ...ID, ...YES },
  details: [
    'There is no way back but from backups. What was cut off is finished by the same command, with the --id that',
    'it said. Calls and what operators did stay without the name. Backups, logs and queues hold what they hold',
    'until it ends: docs/privacy.md.',
  ],
  run: async ({ operate, output, ask, place }, { email }, { id, yes }) => {
    const ids = await idsOf(operate, email, id);
    const whom = ids.length === 0 ? plain(email) : `${plain(email)} (${ids.map(plain).join(', ')})`;
    if (!yes) await agree(ask, `erase ${whom} at ${place}`);
    // The ids are printed before an erasure: afterwards no row may lead from the address to them.
    output.note(`Erasing ${whom}.`);
    const again = [
      `npx --no-install hosted-mcp admin erase ${plain(email)}`,
      ...(ids.length === 0 ? [] : [`--id ${ids.map(plain).join(',')}`]),
    ].join(' ');
    const erased = new Map<string, number>();
    let left: readonly Json[] = [];
    let account = false;
    try {
      account = (await operate('erase-account', { email })).removed === true;
      const answers = await allAnswers((after) => operate('erase-records', { email, ids, after }));
      left = answers.flatMap((answer) => listOf(answer.left));
      for (const answer of answers) {
        for (const [kind, number] of Object.entries(jsonOf(answer.erased))) {
          erased.set(kind, (erased.get(kind) ?? 0) + Number(number));
        }
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const hint = `Some of it is erased. What is left: ${again}`;
      throw new Failure(error.exitCode, error.code, error.message, { ...error.details, hint });
    }
    output.result({ email, ids, account, erased: Object.fromEntries(erased), left }, [
      account
        ? 'The account is removed with all it owned.'
        : 'There is no account of this address (any more).',
      ...[...erased].map(([kind, number]) => `${plain(kind)}: ${number} erased`),
      ...left.map(
        (one) =>
          `stays: ${plainOf(one.place)} ${plainOf(textOf(one.slug) ?? one.email)}: ${plainOf(textOf(one.access) ?? textOf(one.sealedFor) ?? 'an account was made meanwhile')}`,
      ),
      'The log may bring calls of the last two days once more, with the name: give the command again after them.',
      'Until they end: backups and former versions of files (35 days, monthly copies a year); logs (log_retention_days), and their lines in a stream (docs/stream.md); failed work in queues (14 days); answers (2 days); credentials (7 days).',
    ]);
    return EXIT.ok;
  },
});

/** @throws Failure usage where an id of --id is another person's */
const idsOf = async (
  operate: Operate,
  email: string,
  option: string | undefined,
): Promise<readonly string[]> => {
  const said = option?.split(',').filter((id) => id !== '') ?? [];
  const answers = await allAnswers((after) => operate('find-person', { email, ids: said, after }));
  const theirs = new Set(answers.flatMap((answer) => textsOf(answer.ids)));
  const others = new Set(answers.flatMap((answer) => textsOf(answer.other_ids)));
  const whose = [...others]
    .filter((id) => !theirs.has(id))
    .map(plain)
    .join(', ');
  if (whose === '') return [...new Set([...said, ...theirs])];
  throw usageFailure(
    `Not of ${plain(email)}: ${whose} is the account of another address. Nothing was read or erased.`,
  );
};

export const adminPersonCommands = [exportPerson, erase];
