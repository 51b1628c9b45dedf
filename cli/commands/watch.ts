import { pathOf } from '../api/api.ts';
import { followCalls, showCalls } from './calls.ts';
import { clientIdOf, type NameOf, namesAt } from './names.ts';
import { type Command, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, jsonOf, numberOf } from '../json.ts';
import { cell, facts } from '../text/table.ts';
import { localTime, secondsOf } from '../text/time.ts';
import { count } from '../text/words.ts';

const TYPES = ['change', 'security', 'credential_access', 'quota_warning', 'tool_invocations'];
const OUTCOMES = ['ok', 'target_error', 'no_answer', 'refused', 'unfinished'];
const USUAL_LIMIT = '100';
/** Options of calls alone. */
const OF_CALLS = ['by', 'tool', 'client', 'outcome', 'follow'] as const;

const logs = command({
  name: 'logs',
  summary: 'Shows what happened at a server, the newest first',
  places: ['slug?'],
  options: {
    type: { value: 'TYPE', help: `${TYPES.join(', ')}; all if omitted` },
    since: { value: 'TIME', help: 'as in 2h, 7d or 2026-03-01; 90 days are kept' },
    limit: { value: 'NUMBER', help: `how many entries at most, ${USUAL_LIMIT} if omitted` },
    calls: { help: 'the calls of the tools instead, one by one' },
    by: { value: 'WHO', help: "of calls: a user's e-mail or id, or an address" },
    tool: { value: 'TOOL', help: 'of calls: those of one tool' },
    client: { value: 'CLIENT', help: 'of calls: those by one OAuth client, by its name or id' },
    outcome: { value: 'OUTCOME', help: `of calls: ${OUTCOMES.join(', ')}` },
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
      throw usageFailure(`--limit must be a number, not "${limit}".`);
    const stray = OF_CALLS.find((name) => given[name] !== undefined && given[name] !== false);
    if (!calls && stray) throw usageFailure(`--${stray} only has a meaning together with --calls.`);
    if (calls) {
      if (slug === undefined) throw usageFailure('--calls needs the name of a server.');
      if (type !== undefined) throw usageFailure('--type is not for calls: see --outcome.');
      const { by: subject, tool, outcome, follow } = given;
      if (follow && output.isJson) throw usageFailure('--follow never ends, so it has no --json.');
      const from = momentFrom(since, world.now());
      const client =
        given.client === undefined ? undefined : await clientIdOf(api, slug, given.client);
      const wanted = { tool, subject, client, outcome, since: from };
      if (follow) return followCalls(context, slug, wanted);
      const shown = await showCalls(context, slug, wanted, Number(limit));
      if (shown === Number(limit)) output.note('There may be more: --limit shows it.');
      return;
    }
    const query = { type, since: momentFrom(since, world.now()) };
    const path = slug === undefined ? '/account' : pathOf('deployments', slug);
    const items = await api.list(`${path}/activity`, query, Number(limit));
    const isNamed = !output.isJson && items.some((one) => one['subject'] ?? one['why']);
    const nameOf: NameOf = isNamed ? await namesAt(api, slug) : () => undefined;
    const text = eventText(nameOf);
    output.rows(
      { items },
      items,
      {
        time: (one) => localTime(one['at'] ?? one['day']),
        type: (one) => one['type'],
        what: (one) => (one['type'] === 'tool_invocations' ? callsText(one) : text(one)),
      },
      'Nothing happened in that time.',
    );
    if (items.length === Number(limit)) output.note('There may be more: --limit shows it.');
  },
});

/** All that an event tells besides its time and type, with names in place of ids. */
const eventText =
  (nameOf: NameOf) =>
  ({ event: what, ...others }: Json): string =>
    Object.entries({ ...(what !== undefined && { event: what }), ...others })
      .filter(([name]) => name !== 'at' && name !== 'type')
      .map(([name, value]) => {
        const known = nameOf(value);
        if (!known) return `${name}=${cell(value)}`;
        const text = cell(known.name);
        return `${known.kind}=${text.includes(' ') ? JSON.stringify(text) : text}`;
      })
      .join(' ');

/** `listBooks: 12 calls, 1 error, 40 ms on average, 210 ms at most` */
const callsText = (day: Json): string => {
  const latency = jsonOf(day['latency_ms']);
  const [known, sum] = [numberOf(latency['count']) ?? 0, numberOf(latency['sum']) ?? 0];
  const times =
    known === 0
      ? ''
      : `, ${Math.round(sum / known)} ms on average, ${cell(latency['max'])} ms at most`;
  const calls = count(numberOf(day['calls']) ?? 0, 'call');
  return `${cell(day['tool'])}: ${calls}, ${count(numberOf(day['errors']) ?? 0, 'error')}${times}`;
};

/** ISO 8601, of a time before now or a date. @throws Failure usage */
const momentFrom = (text: string | undefined, now: number): string | undefined => {
  if (text === undefined) return undefined;
  const ago = secondsOf(text);
  // A date without a time is that of this machine, as times are shown.
  const begin = /^\d\d\d\d-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const time = ago === undefined ? Date.parse(begin) : (now - ago) * 1000;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw usageFailure(`--since must be a time such as 2h, 7d or 2026-03-01, not "${text}".`);
};

const usage = command({
  name: 'usage',
  summary: 'Shows your account: plan, limits, and what is used of them',
  places: [],
  options: {},
  run: async ({ api, output }) => {
    const account = await api.call('GET', '/account');
    const windows = jsonOf(account['usage']);
    const limits = jsonOf(account['limits']);
    output.result(
      account,
      facts({
        Account: account['email'],
        Name: account['name'],
        Plan: account['plan'],
        'This hour': windowText(windows['hour']),
        'This month': windowText(windows['month']),
        'Servers at most': limits['active_deployments_per_user'],
        'Endpoints per server at most': limits['endpoints_per_deployment'],
      }),
    );
  },
});

/** `12 of 20 requests (60 %)` */
const windowText = (window: unknown): string => {
  const { used, limit } = jsonOf(window);
  const [part, whole] = [numberOf(used) ?? 0, numberOf(limit) ?? 0];
  const percent = whole === 0 ? '' : ` (${Math.floor((100 * part) / whole)} %)`;
  return `${part} of ${whole} requests${percent}`;
};

export const watchCommands: readonly Command[] = [logs, usage];
