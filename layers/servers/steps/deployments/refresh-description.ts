import { SERVICES } from '../../../accounts/rules/permission.ts';
import type { NoticeKind } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { asItIs } from '../../rules/fetch-terms.ts';
import { exposed, exposures } from '../../rules/exposure.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { descriptionText } from '../../../openapi/intake/parse.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { DAY, type EpochSeconds } from '../../../platform/rules/time.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { ServersPorts } from '../../ports.ts';
import type { Refreshed } from '../../../deployments/rules/versions.ts';
import {
  compileDescription,
  type CompiledDescription,
} from '../descriptions/compile-description.ts';
import { fetchDescription, type FetchDescriptionPorts } from '../descriptions/fetch-description.ts';
import { reasonAgainst } from './case-gate.ts';
import { draftVersion } from './draft-version.ts';
import { differenceTo } from './revise-deployment.ts';
import { asSentence } from '../../../platform/rules/text.ts';

type RefreshDescriptionPorts = FetchDescriptionPorts &
  Pick<
    ServersPorts,
    'cases' | 'clock' | 'deploymentEditor' | 'mailRequests' | 'refreshes' | 'toolIndexes' | 'users'
  >;

/** Shorter outages may end by themselves, so nobody is told. */
const FAILING_SECONDS = 7 * DAY;

/**
 * Fetches a description again, and publishes it. Its owner gets a mail instead if calls could break or go elsewhere, if
 * strangers could do more, or for another reason of `reasonToHoldBack`. A text that was seen before, and published by
 * hand or left, is not published automatically.
 *
 * @returns the outcome; undefined if there is nothing to fetch
 * @throws DeadlineExceeded, Fault: then nothing is recorded, and the next refresh tries the same
 * Source: docs/decisions/descriptions.md, "Descriptions that are fetched again".
 */
export const refreshDescription = async (
  ports: RefreshDescriptionPorts,
  deployment: Deployment,
): Promise<Refreshed['outcome'] | undefined> => {
  const { clock, refreshes } = ports;
  const { id, refresh, publication } = deployment;
  if (refresh === 'off' || publication.sourceUrl === undefined) return undefined;
  const before = await refreshes.find(id);
  const now = clock.now();
  const found = await look(ports, deployment, before).catch(failureOf);
  const refreshed = { at: now, ...lasting(found, before, now) };
  const told = await tell(ports, deployment, refreshed, before);
  await refreshes.put(id, { ...refreshed, ...(told !== undefined && { toldOf: told }) });
  return found.outcome;
};

/** The owner chose the address and how it is fetched. */
const TERMS = asItIs(SERVICES);

type Found = Pick<Refreshed, 'outcome' | 'seen' | 'why'>;

const look = async (
  ports: RefreshDescriptionPorts,
  deployment: Deployment,
  before: Refreshed | undefined,
): Promise<Found> => {
  const { clock, deploymentEditor, settings } = ports;
  const { publication, ownerPlan } = deployment;
  const source = await fetchDescription(
    ports,
    TERMS,
    { url: publication.sourceUrl ?? '' },
    { ...deployment, stored: deployment },
  );
  const seen = fingerprint(descriptionText(source.sent));
  const isSeen = seen === before?.seen;
  const waited = before?.outcome === 'held_back';
  if (isSeen && !waited && before.outcome !== 'failed') return { outcome: 'unchanged', seen };
  const former = publication.operations;
  const compiled = await compileDescription(ports, TERMS, source, publication, ownerPlan, {
    former,
  });
  const draft = draftVersion(deployment, { compiled, origin: { by: 'refresh' } }, clock.now());
  if (!draft) return { outcome: 'unchanged', seen };
  const { deployment: served, ...made } = draft;
  const why = await reasonToHoldBack(ports, deployment, served, compiled);
  if (why !== undefined) return { outcome: 'held_back', seen, why };
  if (isSeen && !waited) return { outcome: 'unchanged', seen };
  const maxActive = settings.limits.active_deployments_per_user;
  const outcome = await deploymentEditor.replace(deployment, served, { ...made, maxActive });
  // A concurrent change came first. `seen` is not stored, so that the next refresh looks at the text again.
  return outcome === 'replaced' ? { outcome: 'published', seen } : { outcome: 'unchanged' };
};

/** A sentence for people; undefined if it may be published. */
const reasonToHoldBack = async (
  ports: RefreshDescriptionPorts,
  before: Deployment,
  next: Deployment,
  compiled: CompiledDescription,
): Promise<string | undefined> => {
  if (before.version < Math.max(...before.history)) {
    return 'An earlier version is served, to which somebody has returned.';
  }
  if (next.apiBaseUrl !== before.apiBaseUrl) {
    return `Calls would go to ${next.apiBaseUrl} instead of ${before.apiBaseUrl}.`;
  }
  const difference = await differenceTo(ports, before, compiled);
  if (difference.breaking) {
    const broken = difference.changed.filter(({ breaking }) => breaking).map(({ name }) => name);
    const renamed = (difference.renamed ?? []).map((one) => one.before);
    const names = [...difference.removed, ...renamed, ...broken];
    const shown = names.slice(0, 3).join(', ');
    return `Calls that worked may fail: ${shown}${names.length > 3 ? ', ...' : ''}.`;
  }
  const index = await ports.toolIndexes.find(before.id, before.version);
  const [opened] = exposures(exposed(before, index), exposed(next, compiled.index));
  if (opened) return asSentence(opened.what);
  return reasonAgainst(ports, before, next, compiled.index);
};

const failureOf = (error: unknown): Found => {
  if (!(error instanceof ApiRefusal)) throw error;
  const [finding] = error.findings;
  return { outcome: 'failed', why: [error.description, finding?.what].filter(Boolean).join(' ') };
};

/** Keeps what must survive from one refresh to the next. */
const lasting = (
  found: Found,
  before: Refreshed | undefined,
  now: EpochSeconds,
): Pick<Refreshed, 'failingSince' | 'outcome' | 'seen' | 'toldOf' | 'why'> => {
  const known = {
    ...(before?.toldOf !== undefined && { toldOf: before.toldOf }),
    ...(before?.seen !== undefined && { seen: before.seen }),
  };
  if (found.outcome === 'failed') {
    return { ...known, ...found, failingSince: before?.failingSince ?? now };
  }
  return { ...known, ...found };
};

/** @returns id of the mail that was sent; undefined if there is nothing to say, or it was said before */
const tell = async (
  { mailRequests, users }: Pick<AccountsPorts, 'mailRequests' | 'users'>,
  { id: deploymentId, ownerId, slug }: Deployment,
  { at, outcome, seen, failingSince }: Refreshed,
  before: Refreshed | undefined,
): Promise<string | undefined> => {
  const isFailing = failingSince !== undefined && at - failingSince >= FAILING_SECONDS;
  const purpose: NoticeKind | undefined =
    outcome === 'held_back'
      ? 'update_held_back'
      : isFailing
        ? 'description_unreachable'
        : undefined;
  if (!purpose) return undefined;
  const event = `${purpose}#${deploymentId}#${outcome === 'held_back' ? seen : failingSince}`;
  const id = fingerprint(event);
  if (before?.toldOf === id) return undefined;
  const owner = await users.find(ownerId);
  if (owner) await mailRequests.send({ id, purpose, email: owner.email, slug });
  return id;
};
