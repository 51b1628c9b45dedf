import { setTimeout } from 'node:timers/promises';
import { CALL_OUTCOMES } from '../../layers/events/rules/call-outcome.ts';
import { ACTIVITY_TYPES } from '../../layers/events/rules/call-record.ts';
import type { Call, Problem, Request } from '../api/api.ts';
import { clientIdOf, type NameOf, namesAt } from './names.ts';
import { command, type Context } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, jsonOf, listOf, numberOf, textsOf } from '../json.ts';
import { cell, facts } from '../text/table.ts';
import { localTime, secondsOf } from '../text/time.ts';
import { count } from '../text/words.ts';
import { operationCommand } from './operation-command.ts';
import { showRecordedCalls } from './recordings.ts';

const USUAL_LIMIT = '100';
const OF_CALLS = [
  'by',
  'tool',
  'client',
  'outcome',
  'follow',
  'content',
  'search',
  'lines',
] as const;

const logs = command({
  name: 'logs',
  summary: 'Shows the activity of a server, newest first',
  places: ['slug?'],
  options: {
    type: { value: 'TYPE', help: `${ACTIVITY_TYPES.join(', ')}; all if omitted` },
    since: { value: 'TIME', help: 'as in 2h, 7d or 2026-03-01; 90 days are kept' },
    limit: { value: 'NUMBER', help: `how many entries at most, ${USUAL_LIMIT} if omitted` },
    calls: { help: 'the calls of the tools instead, one by one' },
    by: { value: 'WHO', help: "of calls: a user's e-mail or id, or an address" },
    tool: { value: 'TOOL', help: 'of calls: those of one tool' },
    client: { value: 'CLIENT', help: 'of calls: those by one OAuth client, by its name or id' },
    outcome: { value: 'OUTCOME', help: `of calls: ${CALL_OUTCOMES.join(', ')}` },
    content: { help: 'of calls: with what was sent and answered, where that is recorded' },
    lines: { help: 'of calls with content: each as JSON in a line of its own' },
    search: { value: 'TEXT', help: 'of calls with content: those in which it stands' },
    follow: { help: 'of calls: shows each as it comes, until you end it' },
  },
  details: [
    'Times are those of this machine, with --json in UTC. Calls are counted by tool and day, in UTC. Without a',
    'slug: what happened to your account, as failed logins, lockouts and new passwords.',
  ],
  run: async (context, { slug }, given) => {
    const { api, output, world } = context;
    const { type, since, limit = USUAL_LIMIT, calls } = given;
    if (!/^[1-9]\d{0,5}$/.test(limit))
      throw usageFailure(`--limit must be a number from 1 to 999999, not "${limit}".`);
    const stray = OF_CALLS.find((name) => given[name] !== undefined && given[name] !== false);
    if (!calls && stray) throw usageFailure(`--${stray} needs --calls.`);
    if (calls) {
      if (slug === undefined) throw usageFailure('--calls needs the name of a server.');
      if (type !== undefined) throw usageFailure('--type does not apply to calls: use --outcome.');
      const { by: subject, tool, outcome, follow, content, search, lines: asLines } = given;
      if (follow && output.isJson) throw usageFailure('--follow never ends, so it has no --json.');
      if ((search !== undefined || asLines) && !content)
        throw usageFailure('--search and --lines need --content.');
      if (content && (follow || given.client !== undefined))
        throw usageFailure('--content excludes --follow and --client.');
      const from = momentFrom(since, world.now());
      if (content) {
        const query = { tool, subject, outcome, since: from, search };
        await showRecordedCalls(context, slug, query, { limit: Number(limit), asLines });
        return;
      }
      const client =
        given.client === undefined ? undefined : await clientIdOf(api, slug, given.client);
      const wanted = { tool, subject, client, outcome, since: from };
      if (follow) return followCalls(context, slug, wanted);
      const shown = await showCalls(context, slug, wanted, Number(limit));
      if (shown === Number(limit)) output.note('There may be more: raise --limit.');
      return;
    }
    const query = { type, since: momentFrom(since, world.now()) };
    const items: readonly Json[] = await (slug === undefined
      ? api.list('GET /account/activity', { query }, Number(limit))
      : api.list('GET /deployments/{slug}/activity', { path: { slug }, query }, Number(limit)));
    const isNamed = !output.isJson && items.some((one) => one.subject ?? one.why);
    const nameOf: NameOf = isNamed ? await namesAt(api, slug) : () => undefined;
    const text = eventText(nameOf);
    output.rows(
      items,
      {
        time: (one) => localTime(one.at ?? one.day),
        type: 'type',
        what: (one) => (one.type === 'tool_invocations' ? callsText(one) : text(one)),
      },
      'No events in that time.',
    );
    if (items.length === Number(limit)) output.note('There may be more: raise --limit.');
  },
});

/** All members of an event but time and type, with names instead of ids. */
const eventText =
  (nameOf: NameOf) =>
  ({ event: what, ...others }: Json): string =>
    Object.entries({ ...(what !== undefined && { event: what }), ...others })
      .filter(([name]) => name !== 'at' && name !== 'type')
      .map(([name, value]) => {
        // A client's id is followed by the name that it had then.
        const known = nameOf(String(value).split(' ', 1)[0]);
        if (!known) return `${name}=${cell(value)}`;
        const text = cell(known.name);
        return `${known.kind}=${text.includes(' ') ? JSON.stringify(text) : text}`;
      })
      .join(' ');

/** `listBooks: 12 calls, 1 error, 40 ms on average, 210 ms at most` */
const callsText = (day: Json): string => {
  const latency = jsonOf(day.latency_ms);
  const [known, sum] = [numberOf(latency.count) ?? 0, numberOf(latency.sum) ?? 0];
  const times =
    known === 0
      ? ''
      : `, ${Math.round(sum / known)} ms on average, ${cell(latency.max)} ms at most`;
  const calls = count(numberOf(day.calls) ?? 0, 'call');
  const trials = numberOf(day.trials) ?? 0;
  const tried = trials === 0 ? '' : `, and ${count(trials, 'trial')} of yours`;
  return `${cell(day.tool)}: ${calls}, ${count(numberOf(day.errors) ?? 0, 'error')}${times}${tried}`;
};

/** ISO 8601 time from a span before now, or from a date. @throws Failure usage */
export const momentFrom = (text: string | undefined, now: number): string | undefined => {
  if (text === undefined) return undefined;
  const ago = secondsOf(text);
  // Dates without a time are local, as shown times are.
  const begin = /^\d\d\d\d-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const time = ago === undefined ? Date.parse(begin) : (now - ago) * 1000;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw usageFailure(`--since must be a time such as 2h, 7d or 2026-03-01, not "${text}".`);
};

type CallsQuery = Request<'GET /deployments/{slug}/calls'>['query'] & {};

const EVERY_MS = 2000;
/** Records arrive up to a minute after their calls, and out of order. */
const LATENESS_MS = 60_000;

/** Prints calls, the newest first. @returns how many */
const showCalls = async (
  { api, output }: Context,
  slug: string,
  query: CallsQuery,
  limit: number,
): Promise<number> => {
  const items = await api.list('GET /deployments/{slug}/calls', { path: { slug }, query }, limit);
  const nameOf = !output.isJson && items.some(hasIds) ? await namesAt(api, slug) : () => undefined;
  const columns = { time: at, call: callText, by: callerText(nameOf) };
  output.rows(items, columns, 'No calls in that time.');
  return items.length;
};

const followCalls = async (
  { api, output, world }: Context,
  slug: string,
  query: CallsQuery,
): Promise<never> => {
  const asked = new Set<unknown>();
  let nameOf: NameOf = () => undefined;
  const seen = new Set<string>();
  let since = query.since ?? new Date(world.now() * 1000).toISOString();
  for (;;) {
    const calls = (
      await api.list('GET /deployments/{slug}/calls', {
        path: { slug },
        query: { ...query, since },
      })
    ).toReversed();
    const fresh = calls.filter((call) => !seen.has(identityOf(call)));
    // Names are read again once for each new id, which may be younger than they are.
    const unknown = fresh.flatMap(idsOf).filter((id) => !nameOf(id) && !asked.has(id));
    if (unknown.length > 0) nameOf = await namesAt(api, slug);
    for (const id of unknown) asked.add(id);
    output.part(
      fresh.map((call) => `${cell(at(call))}  ${callText(call)}  ${callerText(nameOf)(call)}`),
    );
    for (const call of fresh) seen.add(identityOf(call));
    const last = Date.parse(String(fresh.at(-1)?.at)) - LATENESS_MS;
    if (last > Date.parse(since)) since = new Date(last).toISOString();
    await setTimeout(EVERY_MS);
  }
};

const at = (call: Call): unknown => localTime(call.at);

/** Ids in a call that come without a name. */
const idsOf = (call: Call): readonly unknown[] =>
  call.client_name === undefined
    ? [call.client_id ?? call.token_id].filter((id) => id !== undefined)
    : [];

const hasIds = (call: Call): boolean => idsOf(call).length > 0;

/** The identity of a call differs once it has ended, so that an unfinished one is shown again. */
const identityOf = (call: Call): string =>
  [call.request_id, call.index, call.outcome === 'unfinished'].map(cell).join('#');

const UNFINISHED = 'sent, but no end is known; the API may have carried it out';

/** `listBooks: ok 200, 40 ms, 512 tokens` */
const callText = (call: Call): string => {
  if (call.outcome === 'unfinished') return `${cell(call.tool)}: unfinished (${UNFINISHED})`;
  const how = call.status ?? call.reason;
  const ended = [call.outcome, ...(how === undefined ? [] : [how])].map(cell).join(' ');
  const faults = listOf(call.faults).map(faultText);
  const why = faults.length === 0 ? '' : ` (${faults.join('; ')})`;
  const words = textsOf(call.words);
  const searched = words.length === 0 ? '' : ` for "${words.map(cell).join(' ')}"`;
  const tokens = call.answer_tokens;
  const takes = tokens === undefined ? '' : `, ${cell(tokens)} tokens`;
  return `${cell(call.tool)}: ${ended}${searched}${why}, ${cell(call.duration_ms)} ms${takes}`;
};

/** `lacks title`, `filter: type, sent as object` */
const faultText = ({ argument = 'the arguments', keyword, sent }: Json): string =>
  keyword === 'required' || keyword === 'path'
    ? `lacks ${cell(argument)}`
    : `${cell(argument)}: ${cell(keyword)}${sent === undefined ? '' : `, sent as ${cell(sent)}`}`;

/** `ada@example.com by Claude Code from 192.0.2.7` */
const callerText =
  (nameOf: NameOf) =>
  (call: Call): string => {
    const { client_id: client, token_id: token, email, subject } = call;
    const named =
      client === undefined
        ? nameOf(token)?.name
        : // The call's own name first: no list has it once the grant is gone.
          (call.client_name ?? nameOf(client)?.name ?? client);
    const means = client === undefined ? 'with the token' : 'by';
    const by = named === undefined ? '' : ` ${means} ${cell(named)}`;
    const trial = call.trial === true ? ' (a trial)' : '';
    const request = call.without_tool === true ? ' (called no tool)' : '';
    return `${cell(email ?? nameOf(subject)?.name ?? subject)}${by} from ${cell(call.ip)}${trial}${request}`;
  };

const problems = command({
  name: 'problems',
  summary: 'Shows why calls failed, by tool and cause, with remedies',
  places: ['slug'],
  options: {
    since: { value: 'TIME', help: 'as in 2h, 7d or 2026-03-01; 90 days are kept' },
  },
  details: [
    'Of the newest 5,000 calls, without your own trials. No value of an argument is on record.',
  ],
  run: async ({ api, output, world }, { slug }, { since }) => {
    const query = { since: momentFrom(since, world.now()) };
    const answer = await api.call('GET /deployments/{slug}/problems', { path: { slug }, query });
    output.rows(
      answer.items,
      {
        calls: 'calls',
        tool: 'tool',
        what: (one) => (one.without_tool ? `${cell(one.what)} (no call of a tool)` : one.what),
        last: (one) => localTime(one.last_at),
      },
      'No problems in that time.',
      answer,
    );
    // Unknown remedies of a newer service are skipped.
    const remedies = new Set(
      answer.items.flatMap((one) => one.remedies).filter((one) => Object.hasOwn(REMEDIES, one)),
    );
    if (remedies.size > 0) {
      output.note('Remedies:');
      for (const remedy of remedies) output.note(`  ${REMEDIES[remedy](slug)}`);
    }
    if (!answer.complete) output.note(`Of the newest ${answer.calls} calls.`);
  },
});

type Remedy = Problem['remedies'][number];

const REMEDIES: { readonly [Of in Remedy]: (slug: string) => string } = {
  lenient_checks: (slug) =>
    `npx --no-install hosted-mcp set ${slug} --argument-checks lenient: the API decides what may be missing, or of another type or format`,
  fix_argument: (slug) =>
    `npx --no-install hosted-mcp set ${slug} --overrides FILE: give the argument a fixed value`,
  hide_argument: (slug) =>
    `npx --no-install hosted-mcp set ${slug} --overrides FILE: hide the argument`,
  describe_tool: (slug) => `npx --no-install hosted-mcp tool set ${slug} TOOL --description TEXT`,
  add_keywords: (slug) => `npx --no-install hosted-mcp tool set ${slug} TOOL --keywords WORDS`,
  rename_tool: (slug) => `npx --no-install hosted-mcp tool set ${slug} TOOL --name NAME`,
  hide_tool: (slug) => `npx --no-install hosted-mcp tool set ${slug} TOOL --hide`,
  overlay: (slug) => `npx --no-install hosted-mcp set ${slug} --overlay FILE: mend the description`,
  set_credential: (slug) => `npx --no-install hosted-mcp credential set ${slug}`,
};

const usage = operationCommand({
  name: 'usage',
  summary: 'Shows your account: plan, limits, and what is used of them',
  at: 'GET /account',
  lines: ({ usage: windows, limits, ...account }) =>
    facts({
      Account: account.email,
      Name: account.name,
      Plan: account.plan,
      'This hour': windowText(windows.hour),
      'This month': windowText(windows.month),
      'Servers at most': limits.active_deployments_per_user,
      'Endpoints per server at most': limits.endpoints_per_deployment,
    }),
});

/** `12 of 20 requests (60 %)`; at the limit also until when. */
const windowText = (window: unknown): string => {
  const { used, limit, ends_at: end } = jsonOf(window);
  const [part, whole] = [numberOf(used) ?? 0, numberOf(limit) ?? 0];
  const percent = whole === 0 ? '' : ` (${Math.floor((100 * part) / whole)} %)`;
  const full = part < whole || end === undefined ? '' : `; opens again at ${cell(localTime(end))}`;
  return `${part} of ${whole} requests${percent}${full}`;
};

export const watchCommands = [logs, problems, usage];
