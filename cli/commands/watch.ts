import { pathOf } from '../api/api.ts';
import { type Command, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, jsonOf, numberOf } from '../json.ts';
import { cell, facts } from '../text/table.ts';
import { secondsOf } from '../text/time.ts';

const logs = command({
  name: 'logs',
  summary: 'Shows what happened at a deployment: calls, credential access, security events',
  places: ['slug'],
  options: {
    type: { value: 'TYPE', help: 'security, credential or tool; all if omitted' },
    since: { value: 'TIME', help: 'as in 2h, 7d or 2026-03-01; 90 days are kept' },
  },
  run: async ({ api, output, world }, { slug }, { type, since }) => {
    const items = await api.list(pathOf('deployments', slug, 'activity'), {
      type,
      since: momentFrom(since, world.now()),
    });
    output.rows(
      { items },
      items,
      {
        time: (one) => one['at'] ?? one['day'],
        type: (one) => one['type'],
        what: (one) => one['event'] ?? one['tool'],
        details: detailsOf,
      },
      'Nothing happened in that time.',
    );
  },
});

const SHOWN = ['at', 'day', 'type', 'event', 'tool'];

/** All else that an event tells. */
const detailsOf = (event: Json): string =>
  Object.entries(event)
    .filter(([name, value]) => !SHOWN.includes(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${cell(value)}`)
    .join(' ');

/** ISO 8601, of a time before now or a date. @throws Failure usage */
const momentFrom = (text: string | undefined, now: number): string | undefined => {
  if (text === undefined) return undefined;
  const ago = secondsOf(text);
  const time = ago === undefined ? Date.parse(text) : (now - ago) * 1000;
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
        'Deployments at most': limits['active_deployments_per_user'],
        'Endpoints per deployment at most': limits['endpoints_per_deployment'],
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
