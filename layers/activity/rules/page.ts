import { type ActivityEvent, placeOfDay } from '../../events/rules/call-record.ts';
import type { ToolDay } from './call-counts.ts';

/** Either an event, or what one tool did on one day. */
export type ActivityEntry =
  | { readonly kind: 'event'; readonly event: ActivityEvent }
  | { readonly kind: 'tool'; readonly day: ToolDay };

export interface ActivityPage {
  /** The newest first; tools of one day by their calls. */
  readonly entries: readonly ActivityEntry[];
  /** The first place that the next page does not reach; undefined at the end. */
  readonly next: string | undefined;
}

export interface PageParts {
  /** The first place that the page does not reach. */
  readonly before: string;
  /** The newest first, all of them older than that. */
  readonly events: readonly ActivityEvent[];
  /** Where the events go on that are not among `events`; undefined if there are none. */
  readonly eventsEnd: string | undefined;
  readonly days: readonly ToolDay[];
  /** How many entries of tools a page may have before it ends with a day. */
  readonly maxTools: number;
}

/**
 * One page of the time line. Events and days come in one order, and a day is shown whole: with the page
 * on which its first moment is passed.
 */
export const activityPage = ({
  before,
  events,
  eventsEnd,
  days,
  maxTools,
}: PageParts): ActivityPage => {
  const tools = days
    .filter(({ day }) => placeOfDay(day) < before)
    .filter(({ day }) => eventsEnd === undefined || placeOfDay(day) >= eventsEnd)
    .toSorted(byDay);
  const end = endOfTools(tools, maxTools) ?? eventsEnd;
  const reached = (place: string) => end === undefined || place >= end;
  const entries = [
    ...events.map((event) => ({ place: event.place, entry: { kind: 'event', event } as const })),
    ...tools.map((day) => ({
      place: placeOfDay(day.day),
      entry: { kind: 'tool', day } as const,
    })),
  ].filter(({ place }) => reached(place));
  return {
    entries: entries.toSorted((one, other) => descending(one.place, other.place)).map(entryOf),
    next: end,
  };
};

const entryOf = ({ entry }: { readonly entry: ActivityEntry }): ActivityEntry => entry;

/** The day that a page ends with, if there are too many tools for one page. */
const endOfTools = (tools: readonly ToolDay[], maxTools: number): string | undefined => {
  const first = tools[maxTools];
  if (!first) return undefined;
  // The last day that fits whole; the first day of a page comes whole however many tools it has.
  const last = tools.findLast(({ day }, index) => index < maxTools && day > first.day);
  const day = last?.day ?? first.day;
  return tools.some((tool) => tool.day < day) ? placeOfDay(day) : undefined;
};

const byDay = (one: ToolDay, other: ToolDay): number =>
  descending(one.day, other.day) || other.calls - one.calls || (one.tool < other.tool ? -1 : 1);

const descending = (one: string, other: string): number => {
  if (one === other) return 0;
  return one > other ? -1 : 1;
};
