import { command, type Context } from '../command.ts';
import { Failure, usageFailure } from '../failure.ts';
import { type Json, textOf } from '../json.ts';
import { CHOICE_OPTIONS, choicesFrom } from '../input/choices.ts';
import { DESCRIPTION_OPTIONS, descriptionFrom } from '../input/description.ts';
import { bytesOf } from '../input/ask.ts';
import { YES } from '../input/opening.ts';
import { watching } from '../input/watching.ts';
import { cell } from '../text/table.ts';
import { count } from '../text/words.ts';
import { publish } from './deploy.ts';

const { 'fetch-header': _, ...FILE_OPTIONS } = DESCRIPTION_OPTIONS;

export const devCommand = command({
  name: 'dev',
  changesManaged: true,
  summary:
    'Publishes a description at each save of its files, and shows what differs, until Ctrl-C',
  places: ['file'],
  options: {
    slug: { value: 'NAME', help: 'its URL name; otherwise made from the title' },
    ...FILE_OPTIONS,
    ...CHOICE_OPTIONS,
    ...YES,
  },
  details: [
    'Takes what deploy takes, but for URLs and standard input. Files that the description refers to are watched,',
    'and so are those of --overrides and --overlay. What is wrong in them is shown, and the version before stays.',
  ],
  run: async (context, { file }, { slug, yes, ...chosen }) => {
    const { output, world } = context;
    if (output.isJson) throw usageFailure('dev never ends by itself, so it has no --json.');
    if (file === '-' || /^https?:\/\//i.test(file)) {
      throw usageFailure(
        'dev wants a file: nothing else is saved.',
        'deploy takes a URL, and - too.',
      );
    }
    const ended = world.interrupted?.() ?? new AbortController().signal;
    await bytesOf(file);
    // Wrong options end the command before it watches: saving would not mend them.
    await choicesFrom(context.ask, chosen);

    let last: Published = { slug, version: undefined, sent: undefined };
    while (!ended.aborted) {
      const files = watching();
      for (const path of [file, ...filesOf(chosen)]) files.add(path);
      const round = { file, yes, chosen, onFile: files.add };
      last = await publishing(context, round, last).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        output.failure(error);
        const { version } = last;
        output.note(version === undefined ? 'Nothing is published.' : `Version ${version} stays.`);
        return last;
      });
      output.note(`Watching ${count(files.size(), 'file')}; Ctrl-C ends it.`);
      await files.saved(ended);
    }
    output.note(last.version === undefined ? 'Ended.' : `Ended; version ${last.version} stays.`);
  },
});

interface Published {
  readonly slug: string | undefined;
  readonly version: string | undefined;
  readonly sent: string | undefined;
}

interface Round {
  readonly file: string;
  readonly yes: boolean;
  readonly chosen: Parameters<typeof choicesFrom>[1] &
    Omit<Parameters<typeof descriptionFrom>[2], 'fetch-header' | 'onFile'>;
  readonly onFile: (path: string) => void;
}

/** Publishes the files, unless nothing has changed since the last time. @throws Failure */
const publishing = async (
  context: Context,
  { file, yes, chosen, onFile }: Round,
  last: Published,
): Promise<Published> => {
  const description = await descriptionFrom(context, file, { ...chosen, onFile });
  const choices = await choicesFrom(context.ask, chosen);
  const sent = JSON.stringify({ ...choices, ...description.json });
  if (sent === last.sent) {
    context.output.note('Nothing differs.');
    return last;
  }
  const answer: Json = await publish(context, { slug: last.slug, yes, description, choices });
  return { slug: textOf(answer.slug) ?? last.slug, version: cell(answer.version), sent };
};

/** Files named by options, to be watched besides those that the description refers to. */
const filesOf = ({ overrides, overlay }: Round['chosen']): readonly string[] =>
  [overrides ?? [], overlay].flat().filter((one) => one !== '-' && !/^https?:\/\//i.test(one));
