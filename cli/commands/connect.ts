import type { ItemOf } from '../../console/src/api/operation.ts';
import { command } from '../command.ts';
import { addressesOf } from '../doctor/addresses.ts';
import { examine } from '../doctor/examine.ts';
import { examinedByService, type OwnToken, ownToken } from '../doctor/own-server.ts';
import { NEEDS_TOKEN } from '../doctor/session.ts';
import { type Step, stepLines } from '../doctor/step.ts';
import { visiting } from '../doctor/visit.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { versionNotes } from '../spoken-versions.ts';
import { numberOf, stringOf, textOf, textsOf } from '../json.ts';
import type { Output } from '../output.ts';
import { plain, plainLines } from '../text/plain.ts';
import { duration } from '../text/time.ts';
import { count } from '../text/words.ts';

const config = command({
  name: 'config',
  summary: 'Prints how clients are connected to a server',
  places: ['slug'],
  options: {
    client: { value: 'CLIENT', help: 'this one alone, such as claude-code or cursor' },
  },
  run: async ({ api, output }, { slug }, { client }) => {
    const answer = await api.call('GET /deployments/{slug}/clients', { path: { slug } });
    const all = answer.items.map(configurationOf);
    const wanted = client === undefined ? all : all.filter((one) => one.client === client);
    if (wanted.length === 0) {
      throw usageFailure(`--client must be one of ${all.map((one) => one.client).join(', ')}.`);
    }
    const refusal = client === undefined ? undefined : wanted[0]?.obstacle;
    if (refusal !== undefined) throw new Failure(EXIT.refused, 'cannot_connect', refusal);
    for (const one of wanted) {
      if (client === undefined) output.note(`${one.name}:`);
      show(output, one);
    }
    output.result(client === undefined ? { items: wanted } : wanted[0], []);
  },
});

const show = (output: Output, { where, paste, link, obstacle, notes }: Configuration): void => {
  if (obstacle !== undefined) return output.note(obstacle);
  output.note(where);
  output.part([plainLines(paste)]);
  if (link !== undefined) output.note(`Or open ${link}`);
  notes.forEach(output.note);
};

type Configuration = ReturnType<typeof configurationOf>;
const configurationOf = (answered: ItemOf<'GET /deployments/{slug}/clients'>) => {
  const client = stringOf(answered.client);
  return {
    client,
    name: textOf(answered.name) ?? client,
    where: withoutMarks(stringOf(answered.where)),
    paste: stringOf(answered.paste),
    link: textOf(answered.link),
    obstacle: textOf(answered.obstacle),
    notes: [...textsOf(answered.notes).map(withoutMarks), ...versionNotes(client)],
  };
};

const withoutMarks = (text: string): string => text.replaceAll('`', '');

const doctor = command({
  name: 'doctor',
  summary: 'Connects to a server as a client does, and says what fails',
  places: ['slug-or-url'],
  options: {
    register: { help: 'register a client that stays, as each new MCP client does' },
    'token-stdin': { help: 'go on with the token on standard input, where one is needed' },
  },
  details: [
    'An address ends in /mcp-router/SLUG/messages and may be of any service; no sign-in is needed.',
    'For a server of yours it also says what the service knows, and signs in as a client does. The few requests',
    'count as yours; the access is ended afterwards.',
  ],
  run: async (context, places, { register, 'token-stdin': fromInput }) => {
    const { api, ask, output, world } = context;
    const typed = places['slug-or-url'];
    const isSlug = /^[a-z0-9-]+$/.test(typed);
    const addresses = addressesOf(isSlug ? `${api.baseUrl}/mcp-router/${typed}` : typed);
    const token = fromInput ? await ask.secretInput() : undefined;
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw usageFailure('What standard input holds is no token.');
    }
    const onStep = (step: Step) => output.part(stepLines(step, output));
    const visit = visiting(world);
    const known = isSlug ? await examinedByService(context, typed) : undefined;
    if (known) {
      output.part([output.paint('bold', 'What the service knows')]);
      known.steps.forEach(onStep);
      output.part(['', output.paint('bold', 'What a client meets')]);
    }
    let own: OwnToken | undefined;
    const signIn = async () =>
      (own ??= await ownToken(context, visit, addresses, known?.mode ?? 'none'));
    const wishes = { register, token, ...(known && token === undefined && { signIn }) };
    const examined = await examine(visit, addresses, wishes, onStep).finally(() =>
      ended(own, output),
    );
    const { steps } = examined;
    const isWell = [...(known?.steps ?? []), ...steps].every(({ outcome }) => outcome !== 'failed');
    const exitCode = isWell || examined.exitCode !== EXIT.ok ? examined.exitCode : EXIT.refused;
    const report = {
      url: addresses.messages,
      ok: exitCode === EXIT.ok,
      ...(known && { service: known.steps }),
      steps,
    };
    output.result(report, ['', ...verdict(steps, known?.steps ?? [])]);
    return exitCode;
  },
});

/** A failure to end the access is noted, and is no fault of the server. */
const ended = async (own: OwnToken | undefined, output: Output): Promise<void> => {
  await own?.end().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    output.note(`The access of this run may go on: ${error.message}`);
  });
};

const verdict = (steps: readonly Step[], known: readonly Step[]): readonly string[] => {
  const isFailed = ({ outcome }: Step) => outcome === 'failed';
  const [first, ...more] = steps.filter(isFailed);
  const fault = known.find(isFailed);
  const untried = steps.filter(({ what }) => what === NEEDS_TOKEN).length;
  const left =
    untried === 0
      ? ''
      : ` ${count(untried, 'step')} had no token and ${untried === 1 ? 'was' : 'were'} not tried.`;
  const passed = `A client gets through all that was tried.${left}`;
  return [
    first
      ? `A client is stopped at: ${first.step}${more.length > 0 ? `, and ${more.length} more` : ''}.`
      : passed,
    ...(fault ? [`The service knows of a fault: ${fault.step}.`] : []),
  ];
};

export const openCommand = command({
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
    const answer = await api.call('POST /sessions/console-links', {
      json: { return_to: `${pathname}/console/${page}` },
    });
    const url = addressIn(textOf(answer.url), api.baseUrl);
    const seconds = numberOf(answer.expires_in) ?? 0;
    output.result(answer, [plain(url)]);
    output.note(`Good once, for ${duration(seconds)}.`);
    if (!print && !output.isJson) world.browse?.(url);
  },
});

/** Only URLs of the same service are opened, whatever it answers. @throws Failure */
const addressIn = (given: string | undefined, baseUrl: string): string => {
  const url = URL.parse(given ?? '');
  if (url && url.origin === new URL(baseUrl).origin) return url.href;
  throw new Failure(EXIT.refused, 'service_error', 'The service answered without an address.');
};
export const connectCommands = [config, doctor];
