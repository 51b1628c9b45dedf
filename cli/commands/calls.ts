import { setTimeout } from 'node:timers/promises';
import { pathOf } from '../api/api.ts';
import type { Context } from '../command.ts';
import { type Json, textsOf } from '../json.ts';
import { cell } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { type NameOf, namesAt } from './names.ts';

/** Which calls are wanted. */
export interface CallsQuery {
  readonly tool: string | undefined;
  readonly subject: string | undefined;
  readonly client: string | undefined;
  readonly outcome: string | undefined;
  readonly since: string | undefined;
}

const EVERY_MS = 2000;
/** Milliseconds. A record comes within a minute after its call, and not in their order. */
const LATENESS_MS = 60_000;

/** Shows the calls of a deployment's tools one by one, the newest first. @returns how many */
export const showCalls = async (
  { api, output }: Context,
  slug: string,
  query: CallsQuery,
  limit: number,
): Promise<number> => {
  const items = await api.list(pathOf('deployments', slug, 'calls'), { ...query }, limit);
  const nameOf = !output.isJson && items.some(hasIds) ? await namesAt(api, slug) : () => undefined;
  const columns = { time: at, call: callText, by: callerText(nameOf) };
  output.rows({ items }, items, columns, 'There were no calls in that time.');
  return items.length;
};

/** Shows each call as its record comes, until the program is ended. */
export const followCalls = async (
  { api, output, world }: Context,
  slug: string,
  query: CallsQuery,
): Promise<never> => {
  const path = pathOf('deployments', slug, 'calls');
  const asked = new Set<unknown>();
  let nameOf: NameOf = () => undefined;
  const seen = new Set<string>();
  let since = query.since ?? new Date(world.now() * 1000).toISOString();
  for (;;) {
    const calls = (await api.list(path, { ...query, since })).toReversed();
    const fresh = calls.filter((call) => !seen.has(identityOf(call)));
    // Once for each that appears: it may have come after the names were read.
    const unknown = fresh.flatMap(idsOf).filter((id) => !nameOf(id) && !asked.has(id));
    if (unknown.length > 0) nameOf = await namesAt(api, slug);
    for (const id of unknown) asked.add(id);
    output.part(
      fresh.map((call) => `${cell(at(call))}  ${callText(call)}  ${callerText(nameOf)(call)}`),
    );
    for (const call of fresh) seen.add(identityOf(call));
    const last = Date.parse(String(fresh.at(-1)?.['at'])) - LATENESS_MS;
    if (last > Date.parse(since)) since = new Date(last).toISOString();
    await setTimeout(EVERY_MS);
  }
};

const at = (call: Json): unknown => localTime(call['at']);

/** What a call names by an id alone. */
const idsOf = (call: Json): readonly unknown[] =>
  [call['client_id'] ?? call['token_id']].filter((id) => id !== undefined);

const hasIds = (call: Json): boolean => idsOf(call).length > 0;

/** A call that was unfinished is shown again once its end is known. */
const identityOf = (call: Json): string =>
  [call['request_id'], call['index'], call['outcome'] === 'unfinished'].map(cell).join('#');

const UNFINISHED = 'sent, but no end is known; the API may have carried it out';

/** `listBooks: ok 200, 40 ms, 512 tokens` */
const callText = (call: Json): string => {
  if (call['outcome'] === 'unfinished') return `${cell(call['tool'])}: unfinished (${UNFINISHED})`;
  const ended = [call['outcome'], call['status'] ?? call['reason']].map(cell).join(' ');
  const missing = textsOf(call['missing']);
  const lacks = missing.length === 0 ? '' : ` (lacks ${missing.join(', ')})`;
  const tokens = call['answer_tokens'];
  const takes = tokens === undefined ? '' : `, ${cell(tokens)} tokens`;
  return `${cell(call['tool'])}: ${ended.trimEnd()}${lacks}, ${cell(call['duration_ms'])} ms${takes}`;
};

/** `ada@example.com by Claude Code from 192.0.2.7` */
const callerText =
  (nameOf: NameOf) =>
  (call: Json): string => {
    const { client_id: client, token_id: token, email, subject } = call;
    const named = client === undefined ? nameOf(token)?.name : (nameOf(client)?.name ?? client);
    const means = client === undefined ? 'with the token' : 'by';
    const by = named === undefined ? '' : ` ${means} ${cell(named)}`;
    const trial = call['trial'] === true ? ' (a trial)' : '';
    return `${cell(email ?? nameOf(subject)?.name ?? subject)}${by} from ${cell(call['ip'])}${trial}`;
  };
