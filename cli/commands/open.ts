import { type Command, command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { numberOf, textOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { duration } from '../text/time.ts';

const open = command({
  name: 'open',
  summary: 'Opens the console in a browser, signed in',
  places: ['slug?'],
  options: { print: { help: 'only print the address' } },
  details: [
    'The address is good once, for a minute, and shows a page that asks before it signs the browser in. The',
    'session there lasts no longer than that of the command line would; signing out here does not end it. Other',
    'users of this machine may see what a browser is started with; with --print none is started.',
  ],
  run: async ({ api, output, world }, { slug }, { print }) => {
    const { pathname } = new URL(api.baseUrl);
    const page = slug === undefined ? '' : `servers/${encodeURIComponent(slug)}/tools`;
    const answer = await api.call('POST', '/sessions/console-links', {
      json: { return_to: `${pathname}/console/${page}` },
    });
    const url = addressIn(textOf(answer['url']), api.baseUrl);
    const seconds = numberOf(answer['expires_in']) ?? 0;
    output.result(answer, [plain(url)]);
    output.note(`Good once, for ${duration(seconds)}.`);
    if (!print && !output.isJson) world.browse?.(url);
  },
});

export const openCommands: readonly Command[] = [open];

/** Whatever a service answers, a browser is sent to that service alone. @throws Failure */
const addressIn = (given: string | undefined, baseUrl: string): string => {
  const url = URL.parse(given ?? '');
  if (url && url.origin === new URL(baseUrl).origin) return url.href;
  throw new Failure(EXIT.refused, 'service_error', 'The service answered without an address.');
};
