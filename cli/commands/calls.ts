import { setTimeout } from 'node:timers/promises';
import type { Context } from '../command.ts';
import { type Json, textsOf } from '../json.ts';
import { cell } from '../text/table.ts';

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
  path: string,
  query: CallsQuery,
  limit: number,
): Promise<number> => {
  const items = await api.list(path, { ...query }, limit);
  const columns = { time: at, call: callText, by: callerText };
  output.rows({ items }, items, columns, 'There were no calls in that time.');
  return items.length;
};

/** Shows each call as its record comes, until the program is ended. */
export const followCalls = async (
  { api, output, world }: Context,
  path: string,
  query: CallsQuery,
): Promise<never> => {
  const seen = new Set<string>();
  let since = query.since ?? new Date(world.now() * 1000).toISOString();
  for (;;) {
    const calls = (await api.list(path, { ...query, since })).toReversed();
    const fresh = calls.filter((call) => !seen.has(nameOf(call)));
    output.part(fresh.map((call) => `${cell(at(call))}  ${callText(call)}  ${callerText(call)}`));
    for (const call of fresh) seen.add(nameOf(call));
    const last = Date.parse(String(fresh.at(-1)?.['at'])) - LATENESS_MS;
    if (last > Date.parse(since)) since = new Date(last).toISOString();
    await setTimeout(EVERY_MS);
  }
};

const at = (call: Json): unknown => call['at'];

/** A call that was unfinished is shown again once its end is known. */
const nameOf = (call: Json): string =>
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

/** `ada@example.com by mcp_1 from 192.0.2.7` */
const callerText = (call: Json): string => {
  const client = call['client_id'] === undefined ? '' : ` by ${cell(call['client_id'])}`;
  const trial = call['trial'] === true ? ' (a trial)' : '';
  return `${cell(call['email'] ?? call['subject'])}${client} from ${cell(call['ip'])}${trial}`;
};
