export {
  ACTIVITY_TYPES,
  type ActivityEvent,
  type ActivityType,
  dayOf,
  EVENT_TYPES,
  type EventType,
  firstMoment,
  joinedDays,
  placeOfDay,
  timeOf,
  type ToolDay,
} from './activity.ts';
export { type ActivityEntry, type ActivityPage, activityPage } from './page.ts';
