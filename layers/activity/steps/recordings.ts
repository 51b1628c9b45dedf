import { nameFinder, type NamedCall, subjectsOf, type WantedCalls } from './list-calls.ts';
import { nearestName } from '../../platform/rules/nearest-name.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { DAY, type EpochSeconds, timeOf } from '../../platform/rules/time.ts';
import type { ActivityPorts } from '../ports.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { EventsPorts } from '../../events/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../deployments/steps/change-deployment.ts';
import {
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../deployments/steps/owned-deployment.ts';
import {
  isRecording,
  type Recording,
  type RecordingKey,
} from '../../deployments/rules/recording.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { AFTER_ALL } from '../rules/queries.ts';
import { type RecordedCall } from '../rules/recorded-content.ts';

type RecordingPorts = ChangeDeploymentPorts &
  Pick<
    ActivityPorts,
    'events' | 'grants' | 'recordedCalls' | 'recordingKeys' | 'toolIndexes' | 'users'
  >;

export interface WantedRecording {
  readonly days: number;
  readonly tool: string | undefined;
  /** A user's e-mail address or id, an IP address, or the `sub` of the deployment's own issuer. */
  readonly subject: string | undefined;
}

/** @returns undefined if recording is off @throws ApiRefusal not_found */
export const findRecording = async (
  ports: Pick<DeploymentsPorts, 'clock' | 'deploymentEditor'>,
  owned: Owned,
): Promise<Recording | undefined> => {
  const { recording } = await ownedDeployment(ports, owned);
  return isRecording(recording, ports.clock.now()) ? recording : undefined;
};

/**
 * Starts recording, and replaces a recording that is on. Calls recorded before stay until their day.
 * @throws ApiRefusal not_found, conflict; invalid_request for an unknown tool. Source: docs/recordings.md.
 */
export const startRecording = async (
  ports: RecordingPorts,
  owned: Owned,
  { days, tool, subject }: WantedRecording,
): Promise<Recording> => {
  const before = await ownedDeployment(ports, owned);
  if (tool !== undefined) await checkTool(ports, before, tool);
  const since = ports.clock.now();
  const until = since + days * DAY;
  const pair = ports.recordingKeys.generate();
  const subjects = await subjectsOf(ports, before, subject);
  const recording: Recording = {
    publicKey: pair.publicKey,
    since,
    until,
    ...(tool !== undefined && { tool }),
    ...(subjects && { subjects }),
  };
  await switched(ports, before, recording, () =>
    ports.recordingKeys.changing(before.id, since, (known) =>
      [...ended(known, since), { ...pair, since, until }].slice(-MOST_KEYS),
    ),
  );
  return recording;
};

const ended = (keys: readonly RecordingKey[], at: EpochSeconds): readonly RecordingKey[] =>
  keys.map((key) => ({ ...key, endedAt: key.endedAt ?? at }));

/**
 * Changes the deployment and its keys in one transaction, so that parallel changes cannot leave a recording without
 * its key.
 * @throws ApiRefusal not_found, conflict
 */
const switched = async (
  ports: RecordingPorts,
  before: Deployment,
  to: Recording | undefined,
  changeKeys: () => Write | Promise<Write>,
): Promise<void> => {
  const change = (current: Deployment): Deployment => {
    const { recording: _, ...rest } = current;
    return { ...rest, ...(to && { recording: to }) };
  };
  const together = async () => ({ recordingKeys: await changeKeys() });
  const changed = await changeDeployment(ports, before, change, undefined, together);
  if (!changed) throw noDeployment();
};

/** A mistyped name would silently record nothing. @throws ApiRefusal invalid_request */
const checkTool = async (
  { toolIndexes }: Pick<DeploymentsPorts, 'toolIndexes'>,
  { id, version }: Deployment,
  name: string,
): Promise<void> => {
  const tools = (await toolIndexes.find(id, version))?.tools ?? [];
  if (tools.some((tool) => tool.name === name)) return;
  const names = tools.map((tool) => tool.name);
  const near = name.length <= MOST_NAME ? nearestName(name, names) : undefined;
  throw new ApiRefusal('invalid_request', 'The deployment has no tool of this name.', {
    where: '/tool',
    what: 'is no tool of the served version',
    hint: near === undefined ? '`tools` lists their names.' : `Do you mean ${near}?`,
  });
};

const MOST_NAME = 64;

/** Per deployment, so that the item stays small. */
const MOST_KEYS = 100;

/** Stops recording, if it is on. Recorded calls stay until their day. @throws ApiRefusal */
export const stopRecording = async (ports: RecordingPorts, owned: Owned): Promise<void> => {
  const deployment = await ownedDeployment(ports, owned);
  if (!deployment.recording) return;
  const now = ports.clock.now();
  await switched(ports, deployment, undefined, () =>
    ports.recordingKeys.changing(deployment.id, now, (known) => ended(known, now)),
  );
};

/** Removes recorded calls, and stops recording. @throws ApiRefusal not_found, conflict */
export const removeRecordedCalls = async (ports: RecordingPorts, owned: Owned): Promise<void> => {
  const deployment = await ownedDeployment(ports, owned);
  await switched(ports, deployment, undefined, () => ports.recordingKeys.removing(deployment.id));
  await ports.recordedCalls.removeAll(deployment.id);
};

export interface WantedRecordedCalls extends Omit<WantedCalls, 'clientId'> {
  /** Text in arguments or answer, case-insensitive; undefined: any. */
  readonly search: string | undefined;
}

export interface NamedRecordedCall extends Omit<NamedCall, 'call'> {
  readonly recorded: RecordedCall;
}

/**
 * Recorded calls, the newest first; eventually consistent. Reading them records an event of the deployment.
 * @throws ApiRefusal not_found
 */
export const listRecordedCalls = async (
  ports: RecordingPorts,
  owned: Owned & { readonly ownerId: string },
  { subject, since, after, search, tool, outcome, limit }: WantedRecordedCalls,
): Promise<{
  readonly calls: readonly NamedRecordedCall[];
  readonly next: string | undefined;
}> => {
  const { clock, recordedCalls, recordingKeys } = ports;
  const deployment = await ownedDeployment(ports, owned);
  const keys = await recordingKeys.find(deployment.id, clock.now());
  const subjects = await subjectsOf(ports, deployment, subject);
  const sought = search?.toLowerCase();
  const query = {
    deploymentId: deployment.id,
    from: timeOf(since ?? 0),
    before: after ?? AFTER_ALL,
    limit,
    isWanted: (recorded: RecordedCall): boolean =>
      (tool === undefined || recorded.call.tool === tool) &&
      (outcome === undefined || recorded.call.outcome === outcome) &&
      (subjects === undefined || subjects.includes(recorded.call.subject)) &&
      (sought === undefined || searchableText(recorded).includes(sought)),
  };
  const page = await recordedCalls.page(query, keys);
  const found = page.calls.map(({ call }) => call);
  const namesOf = await nameFinder(ports, found, deployment.ownerId);
  recordLook(ports, deployment, owned.ownerId, page.calls.length);
  return {
    calls: page.calls.map((recorded) => ({ recorded, ...namesOf(recorded.call) })),
    next: page.next,
  };
};

const searchableText = ({ arguments: sent, argumentsText, answer, error }: RecordedCall): string =>
  [sent === undefined ? '' : JSON.stringify(sent), argumentsText, answer, error]
    .join('\n')
    .toLowerCase();

/** @throws ApiRefusal not_found */
export const findRecordedCall = async (
  ports: RecordingPorts,
  owned: Owned & { readonly ownerId: string },
  id: string,
): Promise<NamedRecordedCall> => {
  const { clock, recordedCalls, recordingKeys } = ports;
  const deployment = await ownedDeployment(ports, owned);
  const keys = await recordingKeys.find(deployment.id, clock.now());
  const at = atOfRecordedCall(id);
  const isWanted = ({ call }: RecordedCall) => recordedCallId(call) === id;
  let recorded: RecordedCall | undefined;
  // A second with thousands of calls takes several pages.
  for (let before: string | undefined = timeOf(at + 1); at > 0 && before && !recorded;) {
    const query = { deploymentId: deployment.id, from: timeOf(at), before, limit: 1, isWanted };
    const page: Awaited<ReturnType<typeof recordedCalls.page>> = await recordedCalls.page(
      query,
      keys,
    );
    [recorded] = page.calls;
    before = page.next;
  }
  if (!recorded) throw new ApiRefusal('not_found', 'There is no such recorded call (any more).');
  const { call } = recorded;
  const namesOf = await nameFinder(ports, [call], deployment.ownerId);
  recordLook(ports, deployment, owned.ownerId, 1);
  return { recorded, ...namesOf(call) };
};

/** Identifies a recorded call by time, request and index. */
export const recordedCallId = ({ at, requestId, index }: RecordedCall['call']): string =>
  `${at}.${index}.${Buffer.from(requestId).toString('base64url')}`;

const atOfRecordedCall = (id: string): EpochSeconds => Number(/^(\d{1,12})\./.exec(id)?.[1] ?? 0);

const recordLook = (
  { events }: Pick<EventsPorts, 'events'>,
  { id: deploymentId, slug }: Deployment,
  subject: string,
  count: number,
): void =>
  events.record({
    type: 'security',
    event: 'recorded_calls_read',
    deploymentId,
    slug,
    subject,
    why: `${count} calls with what was sent and answered`,
  });
