import { member } from '../../../../../layers/platform/rules/json/json.ts';
import { readAll } from '../../../api/call.ts';
import { Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { useLoad } from '../../../state/load.ts';
import { useAccount } from '../../../state/session.ts';
import { useServer } from '../frame.tsx';
import { CHANGES } from './changes.ts';
import type { Range } from './range.ts';

const SHOWN = 200;

interface Event {
  readonly type: string;
  readonly at: string;
  readonly [detail: string]: unknown;
}

interface EventsProps {
  readonly range: Range;
}

export const Changes = (props: EventsProps) => {
  const account = useAccount();
  const changeText = ({ subject, operation, members }: Event): string => {
    const done = CHANGES[operation as keyof typeof CHANGES] ?? 'changed something';
    const which =
      operation === 'changeDeployment' && typeof members === 'string'
        ? `: ${members.replaceAll('_', ' ')}`
        : '';
    const who = account && subject === account.id ? account.email : 'The owner';
    return `${who} ${done}${which}`;
  };
  return (
    <Events
      {...props}
      title="Changes"
      type="change"
      none="Nothing was changed in that time."
      eventText={changeText}
    />
  );
};

export const SecurityEvents = (props: EventsProps) => (
  <Events
    {...props}
    title="Security"
    type="security"
    none="Nothing happened that concerns security."
    eventText={securityText}
  />
);

const Events = ({
  range,
  title,
  type,
  none,
  eventText,
}: EventsProps & {
  readonly title: string;
  readonly type: 'change' | 'security';
  readonly none: string;
  readonly eventText: (event: Event) => string;
}) => {
  const { slug } = useServer();
  const events = useLoad<readonly Event[]>(
    `${type}:${slug}:${range.id}`,
    () =>
      readAll(
        'GET /deployments/{slug}/activity',
        { path: { slug }, query: { type, since: range.sinceText } },
        { most: SHOWN },
      ) as Promise<readonly Event[]>,
  );
  return (
    <section>
      <h2>{title}</h2>
      <Show loaded={events} none={<p class="soft">{none}</p>}>
        {(all) => (
          <ul class="events">
            {all.map((event, index) => (
              <li key={index}>
                <Time at={event.at} />
                <span class="grow">{eventText(event)}</span>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </section>
  );
};

/** What operators did to a server. Its owner is not shown which operator it was. */
const BY_OPERATORS: Readonly<Record<string, string>> = {
  deployment_stopped: 'An operator of this service stopped the server',
  deployment_released: 'An operator of this service released the server',
  deployment_transferred: 'An operator of this service gave the server to its owner of today',
  ip_unblocked: 'An operator of this service lifted the block of an address',
};

/** Ids of accounts, servers and clients, which mean nothing to a reader. */
const ID = /^(?:mcp_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A client as events name it: its id, then in parentheses the name that it gave itself. */
const CLIENT = /^mcp_[0-9a-f-]{36} \((.*)\)$/;

/** `authentication failed · 192.0.2.1 · 4 times` */
const securityText = (entry: Event): string => {
  const { type: _, at: __, event, count, slug: ___, ...rest } = entry;
  const done = member(BY_OPERATORS, String(event));
  if (done !== undefined) {
    return event === 'ip_unblocked' ? `${done} · ${String(rest['subject'])}` : done;
  }
  const details = Object.values(rest)
    .filter((value) => typeof value === 'number' || (typeof value === 'string' && !ID.test(value)))
    .map((value) => String(value).replace(CLIENT, '$1'));
  const times = typeof count === 'number' && count > 1 ? [`${count} times`] : [];
  return [String(event ?? 'event').replaceAll('_', ' '), ...details, ...times].join(' · ');
};
