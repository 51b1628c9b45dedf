import { type ActivityEvent, placeOfDay } from '../../events/rules/call-record.ts';
import type { ToolDay } from './call-counts.ts';

export type ActivityEntry =
  | { readonly kind: 'event'; readonly event: ActivityEvent }
  | { readonly kind: 'tool'; readonly day: ToolDay };

export interface ActivityPage {
  /** The newest first; tools of one day by number of calls. */
  readonly entries: readonly ActivityEntry[];
  /** The page reaches down to this place, exclusive; undefined at the end. */
  readonly next: string | undefined;
}

export interface PageParts {
  /** Upper end of the page, exclusive. */
  readonly before: string;
  /** Older than `before`, the newest first. */
  readonly events: readonly ActivityEvent[];
  /** Where further events continue; undefined if there are none. */
  readonly eventsEnd: string | undefined;
  readonly days: readonly ToolDay[];
  /** Tools after which a page ends, at the boundary of a day. */
  readonly maxTools: number;
}

/**
 * One page of the time line, which merges events and days. A day is never split: it comes on the page that passes its
 * first moment.
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
    entries: entries
      .toSorted((one, other) => descending(one.place, other.place))
      .map(({ entry }) => entry),
    next: end,
  };
};

/** The day to end at if there are too many tools. */
const endOfTools = (tools: readonly ToolDay[], maxTools: number): string | undefined => {
  const first = tools[maxTools];
  if (!first) return undefined;
  // The last day that fits entirely; the first day of a page always comes entirely.
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
