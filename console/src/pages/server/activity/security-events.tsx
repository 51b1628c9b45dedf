import { readAll } from '../../../api/pages-of.ts';
import { Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { useLoad } from '../../../state/load.ts';
import type { Range } from './range.ts';

const SHOWN = 200;

interface SecurityEvent {
  readonly type: string;
  readonly at: string;
  readonly [detail: string]: unknown;
}

/** Refused tokens, reused codes, retrievals of the credential: what an owner would want to know of. */
export const SecurityEvents = ({
  slug,
  range,
}: {
  readonly slug: string;
  readonly range: Range;
}) => {
  const events = useLoad<readonly SecurityEvent[]>(
    `security:${slug}:${range.id}`,
    async () =>
      (await readAll(
        'GET /deployments/{slug}/activity',
        { path: { slug }, query: { type: 'security', since: range.sinceText } },
        { most: SHOWN },
      )) as readonly SecurityEvent[],
  );
  return (
    <section>
      <h2>Security</h2>
      <Show loaded={events}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">Nothing happened that concerns security.</p>
          ) : (
            <ul class="events">
              {all.map((event, index) => (
                <li key={index}>
                  <Time at={event.at} />
                  <span class="grow">{eventText(event)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
};

/** `authentication failed · 192.0.2.1 · 4 times` */
const eventText = (entry: SecurityEvent): string => {
  const { event, count } = entry;
  const details = Object.entries(entry)
    .filter(([name]) => !SAID_OTHERWISE.has(name))
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  const times = typeof count === 'number' && count > 1 ? [`${count} times`] : [];
  return [String(event ?? 'event').replaceAll('_', ' '), ...details, ...times].join(' · ');
};

const SAID_OTHERWISE: ReadonlySet<string> = new Set(['type', 'at', 'event', 'count']);
