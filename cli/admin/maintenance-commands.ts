import { EXIT, findingsOf, usageFailure } from '../failure.ts';
import { momentFrom } from '../commands/watch.ts';
import { agree } from '../input/ask.ts';
import { type Json, listOf, numberOf, stringOf } from '../json.ts';
import { findingLine } from '../output.ts';
import { plain, plainOf } from '../text/plain.ts';
import { momentInUtc } from '../text/time.ts';
import { count } from '../text/words.ts';
import { adminCommand, allAnswers, YES } from './admin-command.ts';

/** Queues of failed work, which a test compares with the service's. */
const QUEUES: Readonly<Record<string, string>> = {
  'unsent-mails': 'requests for mails, and news of them, that the function mails failed at',
  'unstorable-calls': 'calls that could not be stored for a day',
  'undelivered-commands': 'what EventBridge could not hand to a function',
};

const redrive = adminCommand({
  name: 'redrive',
  summary: 'Tells what waits in the queues of failed work, and gives it to its functions once more',
  places: ['queue?'],
  options: YES,
  details: [
    ...Object.entries(QUEUES).map(([name, what]) => `${name}: ${what}.`),
    'Mails that were asked for more than a day ago are dropped. So are commands that have come again by',
    'themselves. What fails again waits again; what nobody knows stays, and the command ends with 1 then.',
  ],
  run: async ({ operate, output, ask, place }, { queue }, { yes }) => {
    if (queue !== undefined && !Object.hasOwn(QUEUES, queue)) {
      throw usageFailure(`The queue is ${Object.keys(QUEUES).join(', ')}, not "${plain(queue)}".`);
    }
    const { queues } = await operate('list-failed', { queue });
    const contents = listOf(queues);
    if (contents.every((one) => numberOf(one.waiting) === 0)) {
      output.result({ queues: contents }, ['Nothing waits.']);
      return EXIT.ok;
    }
    output.note(contents.flatMap(contentsLines).join('\n'));
    if (!yes) await agree(ask, `give it to its functions once more at ${place}`);

    const totals: Totals = new Map();
    let complete: unknown;
    do {
      const answer = await operate('redrive', { queue });
      for (const one of listOf(answer.queues)) add(totals, one);
      ({ complete } = answer);
    } while (complete === false);
    const items = [...totals].map(([name, counts]) => ({ queue: name, ...counts }));
    const columns = {
      queue: 'queue',
      'given on': 'moved',
      dropped: 'dropped',
      left: 'left',
    } as const;
    output.rows(items, columns, 'Nothing waits.', { queues: items });
    return items.every(({ left }) => left === 0) ? EXIT.ok : EXIT.refused;
  },
});

const contentsLines = (one: Json): readonly string[] => [
  `${plainOf(one.queue)}: ${count(numberOf(one.waiting) ?? 0, 'message')}`,
  ...listOf(one.samples).map(
    (sample) =>
      `  ${numberOf(sample.count)} x ${plainOf(sample.what)}, since ${momentInUtc(numberOf(sample.since) ?? 0)}: ${plainOf(sample.why)}`,
  ),
];

type Totals = Map<string, Record<'moved' | 'dropped' | 'left', number>>;

const add = (totals: Totals, one: Json): void => {
  const name = stringOf(one.queue);
  const before = totals.get(name) ?? { moved: 0, dropped: 0, left: 0 };
  totals.set(name, {
    moved: before.moved + (numberOf(one.moved) ?? 0),
    dropped: before.dropped + (numberOf(one.dropped) ?? 0),
    // Each invocation finds again what the one before left, so only the largest number counts.
    left: Math.max(before.left, numberOf(one.left) ?? 0),
  });
};

const restoreCheck = adminCommand({
  name: 'restore-check',
  summary: 'Tells whether what is stored fits together, as after a restore',
  details: [
    'It changes nothing. It compares the rows of servers and owners with versions, files, resources,',
    'prompts and credentials. It ends with 1 if anything is missing.',
  ],
  run: async ({ operate, output }) => {
    const answers = await allAnswers((after) => operate('restore-check', { after }));
    const items = answers.flatMap((answer) => findingsOf(answer.items));
    output.result(
      { items },
      items.length === 0 ? ['All that is stored fits together.'] : items.map(findingLine),
    );
    return items.length === 0 ? EXIT.ok : EXIT.refused;
  },
});

const moveCredentials = adminCommand({
  name: 'move-credentials',
  summary: 'Moves credentials out of the store that the stage used before',
  details: [
    'For a stage with credential_store_former. Calls go on meanwhile; it may be run again, and ends with 1',
    'as long as anything is left.',
  ],
  run: async ({ operate, output }) => {
    const answers = await allAnswers((after) => operate('move-credentials', { after }));
    const moved = answers.reduce((sum, answer) => sum + Number(answer.moved), 0);
    const items = answers.flatMap((answer) => findingsOf(answer.items));
    output.result({ moved, items }, [
      `${moved} moved.`,
      ...items.map(findingLine),
      ...(items.length === 0
        ? ['Nothing is left in the store before: credential_store_former may go.']
        : []),
    ]);
    return items.length === 0 ? EXIT.ok : EXIT.refused;
  },
});

const recount = adminCommand({
  name: 'recount',
  summary: 'Counts calls of servers anew, as they are kept',
  places: ['slug?'],
  options: {
    since: { value: 'TIME', help: 'as in 2h, 7d or 2026-11-28T11:00Z; an hour ago if omitted' },
    until: { value: 'TIME', help: 'the same; now if omitted' },
    anew: { help: 'also where fewer calls are left than were counted' },
  },
  details: [
    'Without a server: of all of them, what has come in that time, 15 days ago at most. With one: the calls',
    'of that time, as long as they are kept. Counts of before stay where they have seen more, but with',
    '--anew: give that once more two minutes later, since a run under way may have written after it.',
    'It ends with 1 where calls cannot be read.',
  ],
  run: async ({ operate, output, world }, { slug }, { since, until, anew }) => {
    const [first, last] = [since ?? '1h', until ?? '0s'].map((text) => {
      const moment = momentFrom(text, world.now()) ?? '';
      return Math.floor(Date.parse(moment) / 1000);
    });
    const answers = await allAnswers((after) =>
      operate('recount', { slug, since: first, until: last, anew, after }),
    );
    const sum = (name: 'minutes' | 'unread') =>
      answers.reduce((total, answer) => total + (numberOf(answer[name]) ?? 0), 0);
    const [minutes, unread] = [sum('minutes'), sum('unread')];
    output.result({ minutes, unread }, [
      `${count(minutes, 'minute')} of calls counted.`,
      ...(unread === 0
        ? []
        : [`In ${count(unread, 'minute')} there are calls that cannot be read.`]),
    ]);
    return unread === 0 ? EXIT.ok : EXIT.refused;
  },
});

export const adminMaintenanceCommands = [redrive, recount, restoreCheck, moveCredentials];
