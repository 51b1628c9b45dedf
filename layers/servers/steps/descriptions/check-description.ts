import type { CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { namedCredentials } from '../../../credentials/rules/deployment-credential.ts';
import {
  countFetch,
  type DescriptionAddress,
  type DescriptionSource,
  type FetchDescriptionPorts,
  fetchedForNew,
  fetchedForNext,
  fetchOverlays,
  isUrlSource,
} from './fetch-description.ts';
import { refusedCalls, type RefusedCalls } from '../../../credentials/rules/credential-origins.ts';
import type { CredentialNeed } from '../../../openapi/credential-needs.ts';
import { toolsHash } from '../../rules/cases.ts';
import { exposed, exposures } from '../../rules/exposure.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { checkSlug } from '../../../platform/rules/addresses.ts';
import { summarizeWarnings } from '../../rules/summarize-warnings.ts';
import type { ToolsDiff } from '../../rules/differences/tools-diff.ts';
import {
  changedPublication,
  type OperationChoice,
  type PublicationChanges,
  toolModeOf,
} from '../../../deployments/rules/publication.ts';
import { networkWarnings, nextNetwork } from '../../rules/networks.ts';
import { type FetchedAddress, type FetchPermission, noting } from '../../rules/fetch-terms.ts';
import { type DeploymentChoices, withChoices } from '../../rules/next-deployment.ts';
import { draftVersion, firstVersion } from '../deployments/draft-version.ts';
import type { ToolMode } from '../../../openapi/tool-mode.ts';
import { GALLERY } from '../../gallery/gallery.ts';
import type { GalleryEntry } from '../../gallery/entry.ts';
import type { Description, FoundOperation } from '../../../openapi/document.ts';
import { type BrokenLimit, brokenLimits } from '../../../openapi/model-apis/client-limits.ts';
import { listedTool } from '../../../openapi/tool-index.ts';
import type { SelectedOperations } from '../../../openapi/intake/select-operations.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import { trustOf } from '../../../target/rules/target.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { ServersPorts } from '../../ports.ts';
import {
  chosenOperations,
  type CompiledDescription,
  compileOperations,
  publishedFrom,
  readSource,
  type ReadSource,
  titleOf,
} from './compile-description.ts';
import { checkPlace, freeSlug } from '../deployments/create-deployment.ts';
import { type OwnedTool, withNotes } from '../../rules/tool-report.ts';
import { ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';
import { storedDescription } from '../deployments/versions.ts';
import { differenceTo } from '../deployments/revise-deployment.ts';
import { withCredentialWarnings } from './warnings-of.ts';

type CheckDescriptionPorts = FetchDescriptionPorts &
  CountWorkPorts &
  Pick<DeploymentsPorts, 'deploymentEditor' | 'random' | 'toolIndexes' | 'versions'> &
  Pick<ServersPorts, 'heldDescriptions'>;

export interface WantedCheck {
  /** Absent: the description of the named deployment. */
  readonly source?: DescriptionSource | { readonly galleryId: string } | undefined;
  /** Deployment whose next version is checked. Its settings apply where none are sent. */
  readonly deployment?: string | undefined;
  readonly slug?: string | undefined;
  /** Result of an earlier check: documents that it read are reused while they are in memory. */
  readonly fetched?: readonly FetchedAddress[] | undefined;
  readonly publication: PublicationChanges;
  /** Settings that affect access, and how the description is fetched. */
  readonly choices?: Pick<
    DeploymentChoices,
    'access' | 'authMethod' | 'certificateAuthorities' | 'fetchWith' | 'network'
  >;
}

export interface DescriptionCheck {
  readonly title: string;
  /** Slug of the named deployment, or of a new one; absent if the slug that was asked for cannot be had. */
  readonly slug?: string;
  readonly toolMode: ToolMode;
  readonly apiBaseUrl?: string;
  /** Base address as the description gives it: an address, or only a path. */
  readonly describedBaseUrl?: string;
  /** Refusals that publication would answer with; none: it would succeed. */
  readonly problems: readonly ApiRefusal[];
  readonly warnings: readonly Finding[];
  /** Tools whose calls would be refused, with the credentials that are set now. */
  readonly refusedCalls: readonly RefusedCalls[];
  /** What single clients do with tools that every model API takes. */
  readonly brokenLimits: readonly BrokenLimit[];
  readonly overlays: Description['overlays'];
  readonly credentialNeeds: readonly CredentialNeed[];
  /** What strangers could newly do. */
  readonly exposures: readonly Finding[];
  readonly operations: readonly { readonly operation: FoundOperation; readonly chosen: boolean }[];
  readonly toolsHash?: string;
  /** Tools of the chosen operations, even if the plan does not allow as many. */
  readonly tools: readonly OwnedTool[];
  readonly fetched: readonly FetchedAddress[];
  readonly difference?: ToolsDiff;
  readonly gallery?: GalleryEntry;
}

/**
 * Does all that publication does, but stores nothing. A description without usable operations is refused; what the
 * owner can mend is reported as a problem.
 *
 * @throws ApiRefusal not_found, rate_limited, and for a description that cannot be used
 * Source: docs/decisions/descriptions.md, "A look before publication".
 */
export const checkDescription = async (
  ports: CheckDescriptionPorts,
  owner: User,
  may: FetchPermission,
  wanted: WantedCheck,
): Promise<DescriptionCheck> => {
  const before =
    wanted.deployment === undefined
      ? undefined
      : await ownedDeployment(ports, { ownerId: owner.id, slug: wanted.deployment });
  const { source, gallery } = await sourceOf(ports, wanted, before);
  const held = isHeldable(source, wanted)
    ? heldSource(ports, owner, may, source, wanted.fetched)
    : undefined;
  const terms = noting(may, (one, sent) => {
    if (isHeldable(source, wanted) && one.url === source.url)
      ports.heldDescriptions.keep({ ownerId: owner.id, ...one }, { sent });
  });
  if (!held) await countFetch(ports, source, owner.id);
  const network = nextNetwork(before, wanted.choices ?? {});
  const id = ports.random.id();
  const fetchedFor = before
    ? fetchedForNext(before, withChoices(before, wanted.choices ?? {}))
    : fetchedForNew({ id, slug: wanted.slug ?? id, ownerId: owner.id }, wanted.choices ?? {});
  const changes = await fetchOverlays(
    ports,
    terms,
    wanted.publication,
    owner.id,
    trustOf(fetchedFor),
  );
  const publication = publishedFrom(
    changedPublication(before?.publication ?? {}, changes),
    wanted.source && source,
  );
  const read = held
    ? await readSource(ports, terms, { sent: held.sent }, { ...publication, sourceUrl: held.url })
    : await readSource(ports, terms, source, publication, fetchedFor);
  if (held) terms.took(held.url, held.sent);

  const problems: ApiRefusal[] = [];
  const title = titleOf(read.description);
  const slug = before ? before.slug : await placeOf(ports, owner, wanted.slug, title, problems);
  const former = before?.publication.operations;
  const chosen = chosenWithin(ports, read, { plan: owner.plan, former }, problems);
  const compiled =
    chosen && attempt(problems, () => compileOperations(ports.settings, read, chosen));
  const difference = before && compiled && (await differenceTo(ports, before, compiled));
  const opened = compiled ? await exposuresOf(ports, before, compiled, wanted.choices) : [];
  const isChosen = new Set(chosen?.operations);
  const described = compiled?.describedBaseUrl;
  return {
    title,
    ...(slug !== undefined && { slug }),
    toolMode: toolModeOf(read.publication),
    ...(compiled && { apiBaseUrl: compiled.apiBaseUrl }),
    ...(described !== undefined && { describedBaseUrl: described }),
    problems,
    warnings: [
      ...warningsOf(read, compiled, before),
      ...(compiled ? networkWarnings(ports.settings.networks, { ...compiled, network }) : []),
    ],
    refusedCalls: compiled
      ? refusedCalls(
          compiled.index,
          namedCredentials(before ?? {}).map(([, one]) => one),
        )
      : [],
    brokenLimits: compiled ? limitsOf(compiled, toolModeOf(read.publication), slug) : [],
    credentialNeeds: compiled?.credentialNeeds ?? [],
    overlays: read.description.overlays,
    exposures: opened,
    fetched: terms.fetched,
    operations: read.description.operations.map((operation) => ({
      operation,
      chosen: isChosen.has(operation),
    })),
    ...(compiled && { toolsHash: toolsHash(compiled.index) }),
    tools: compiled ? withNotes(compiled.index, compiled.report) : [],
    ...(difference && { difference }),
    ...(gallery && { gallery }),
  };
};

/** In search mode clients have three tools of ours. */
const limitsOf = (
  { index }: Pick<CompiledDescription, 'index'>,
  mode: ToolMode,
  slug = '',
): readonly BrokenLimit[] =>
  mode === 'search' ? [] : brokenLimits(index.tools.map(listedTool), slug);

/** Whether a document is public: fetched without the owner's headers, network, credential or certificates. */
const isHeldable = (
  source: DescriptionSource,
  { deployment, choices = {} }: WantedCheck,
): source is DescriptionAddress =>
  isUrlSource(source) &&
  source.headers === undefined &&
  deployment === undefined &&
  (choices.network ?? null) === null &&
  (choices.certificateAuthorities ?? []).length === 0;

const heldSource = (
  { heldDescriptions }: Pick<ServersPorts, 'heldDescriptions'>,
  { id: ownerId }: User,
  may: FetchPermission,
  { url }: DescriptionAddress,
  fetched: readonly FetchedAddress[] = [],
): { readonly sent: Uint8Array; readonly url: string } | undefined => {
  if (!may.allows('fetch')) return undefined;
  for (const one of fetched) {
    const held = one.url === url ? heldDescriptions.find({ ownerId, ...one }) : undefined;
    if (held) return { ...held, url };
  }
  return undefined;
};

/** @param before - undefined if no deployment was named */
const exposuresOf = async (
  { toolIndexes }: Pick<DeploymentsPorts, 'toolIndexes'>,
  before: Deployment | undefined,
  compiled: CompiledDescription,
  choices: DeploymentChoices = {},
): Promise<readonly Finding[]> => {
  const now = before && (await toolIndexes.find(before.id, before.version));
  const change = { choices, compiled, origin: { by: 'owner' } } as const;
  const then = before
    ? (draftVersion(before, change, 0)?.deployment ?? before)
    : firstVersion({ id: '', slug: '', ownerId: '', title: '' }, change, 0).deployment;
  return exposures(before && exposed(before, now), exposed(then, compiled.index));
};

const sourceOf = async (
  ports: Pick<DeploymentsPorts, 'versions'>,
  { source }: WantedCheck,
  before: Deployment | undefined,
): Promise<{ readonly source: DescriptionSource; readonly gallery?: GalleryEntry }> => {
  if (source === undefined) {
    if (!before) throw new ApiRefusal('invalid_request', 'There is no description.');
    return { source: await storedDescription(ports, before.id, before.version) };
  }
  if (!('galleryId' in source)) return { source };
  const gallery = GALLERY.find(({ id }) => id === source.galleryId);
  if (!gallery) throw new ApiRefusal('not_found', 'The gallery has no entry of this id.');
  return { source: { sent: gallery.openapi }, gallery };
};

/** Runs an act; a refusal becomes a problem of the report. */
const attempt = <Value>(problems: ApiRefusal[], act: () => Value): Value | undefined => {
  try {
    return act();
  } catch (error) {
    problems.push(asRefusal(error));
    return undefined;
  }
};

const asRefusal = (error: unknown): ApiRefusal => {
  if (error instanceof ApiRefusal) return error;
  throw error;
};

/** Slug of a new deployment. Adds problems if the slug is taken or the owner has enough deployments. */
const placeOf = async (
  ports: CheckDescriptionPorts,
  owner: User,
  slug: string | undefined,
  title: string,
  problems: ApiRefusal[],
): Promise<string | undefined> => {
  const most = ports.settings.limits.active_deployments_per_user;
  const noteProblem = (error: unknown): undefined => void problems.push(asRefusal(error));
  await checkPlace(ports, owner.id, most).catch(noteProblem);
  if (slug !== undefined && attempt(problems, () => [checkSlug(slug)]) === undefined) {
    return undefined;
  }
  const place = { slug, ownerId: owner.id };
  const free = await freeSlug(ports, place, title, ports.random.id(), () => false).catch(
    noteProblem,
  );
  return free?.slug;
};

/** Selects operations even beyond the plan's limit: an owner who has to choose fewer needs to see them. */
const chosenWithin = (
  { settings }: CheckDescriptionPorts,
  read: ReadSource,
  { plan, former }: { readonly plan: Plan; readonly former: OperationChoice | undefined },
  problems: ApiRefusal[],
): SelectedOperations | undefined => {
  const { limits } = settings;
  const within = attempt(problems, () => chosenOperations(settings, read, plan, former));
  if (within) return within;
  const limit = `${plan}_searchable_operations` as const;
  const max = Math.max(limits.endpoints_per_deployment, limits[limit]);
  const most = { max, limit, searchable: 0 };
  return attempt([], () => chosenOperations(settings, read, plan, former, most));
};

const warningsOf = (
  { description }: ReadSource,
  compiled: CompiledDescription | undefined,
  before: Deployment | undefined,
): readonly Finding[] =>
  compiled
    ? withCredentialWarnings(compiled, compiled.index, before)
    : summarizeWarnings(description.warnings);
