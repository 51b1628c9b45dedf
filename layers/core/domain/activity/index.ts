export {
  type CredentialRefusals,
  credentialRefusals,
  isCredentialRefusal,
} from './credential-refusals.ts';
export {
  ACTIVITY_TYPES,
  type ActivityEvent,
  type ActivityType,
  dayOf,
  EVENT_TYPES,
  type EventType,
  firstMoment,
  timeOf,
  wireName,
} from './activity.ts';
export { type ActivityEntry, type ActivityPage, activityPage } from './page.ts';
export {
  type CallCounts,
  countedCalls,
  daysOf,
  joinedHours,
  type ToolDay,
  type ToolHour,
} from './call-counts.ts';
export {
  callerTotals,
  type CallerTotal,
  hourTotals,
  type HourTotal,
  MANY_MISSING,
  missingTotals,
  type MissingTotal,
  sumOfCalls,
} from './call-totals.ts';
export {
  CALL_OUTCOMES,
  type CallIdentity,
  type CallOutcome,
  type CallRecord,
  isUnfinished,
  placeOfCall,
} from './call-record.ts';
