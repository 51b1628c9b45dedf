import type { Command } from '../command.ts';
import { EXIT, usageFailure } from '../failure.ts';
import { type Json, listOf, numberOf, textOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { momentInUtc } from '../text/time.ts';
import { count } from '../text/words.ts';
import { adminCommand } from './admin-command.ts';
import { agree } from './agree.ts';

/** Names of queues, and what waits there. A test holds them to those of the service. */
const QUEUES: Readonly<Record<string, string>> = {
  'unsent-mails': 'requests for mails, and news of them, that the function mails failed at',
  'unstorable-calls': 'calls that could not be stored for a day',
  'undelivered-commands': 'what EventBridge could not hand to a function',
};

const redrive = adminCommand({
  name: 'redrive',
  summary: 'Tells what waits in the queues of failed work, and gives it to its functions once more',
  places: ['queue?'],
  options: { yes: { help: 'do not ask' } },
  details: [
    ...Object.entries(QUEUES).map(([name, what]) => `${name}: ${what}.`),
    'Mails that were asked for more than a day ago are dropped, and so are commands that have come again by',
    'themselves. What fails again waits again; what nobody knows stays, and the command ends with 1 then.',
  ],
  run: async ({ operate, output, ask, place }, { queue }, { yes }) => {
    if (queue !== undefined && !Object.hasOwn(QUEUES, queue)) {
      throw usageFailure(`The queue is ${Object.keys(QUEUES).join(', ')}, not "${plain(queue)}".`);
    }
    const { queues } = await operate('list-failed', { queue });
    const contents = listOf(queues);
    const isEmpty = contents.every((one) => numberOf(one['waiting']) === 0);
    if (isEmpty) {
      output.result({ queues: contents }, ['Nothing waits.']);
      return EXIT.ok;
    }
    output.note(contents.flatMap(contentsLines).join('\n'));
    if (!yes) await agree(ask, `give it to its functions once more at ${place}`);

    const totals = new Map<string, Record<'moved' | 'dropped' | 'left', number>>();
    let complete: unknown;
    do {
      const answer = await operate('redrive', { queue });
      for (const one of listOf(answer['queues'])) add(totals, one);
      ({ complete } = answer);
    } while (complete === false);
    const items = [...totals].map(([name, counts]) => ({ queue: name, ...counts }));
    output.rows(
      { queues: items },
      items,
      {
        queue: (one) => one.queue,
        'given on': (one) => one.moved,
        dropped: (one) => one.dropped,
        left: (one) => one.left,
      },
      'Nothing waits.',
    );
    return items.every(({ left }) => left === 0) ? EXIT.ok : EXIT.refused;
  },
});

const contentsLines = (one: Json): readonly string[] => [
  `${plain(textOf(one['queue']) ?? '')}: ${count(numberOf(one['waiting']) ?? 0, 'message')}`,
  ...listOf(one['samples']).map(
    (sample) =>
      `  ${numberOf(sample['count'])} x ${plain(textOf(sample['what']) ?? '')}, since ${momentInUtc(numberOf(sample['since']) ?? 0)}: ${plain(textOf(sample['why']) ?? '')}`,
  ),
];

const add = (
  totals: Map<string, Record<'moved' | 'dropped' | 'left', number>>,
  one: Json,
): void => {
  const name = textOf(one['queue']) ?? '';
  const before = totals.get(name) ?? { moved: 0, dropped: 0, left: 0 };
  totals.set(name, {
    moved: before.moved + (numberOf(one['moved']) ?? 0),
    dropped: before.dropped + (numberOf(one['dropped']) ?? 0),
    // Those that stay are met again by each command.
    left: Math.max(before.left, numberOf(one['left']) ?? 0),
  });
};

export const adminRedriveCommands: readonly Command[] = [redrive];
