import type { CountWorkPorts } from '../../limits/steps/count-work.ts';
import { member } from '../../platform/rules/json/json.ts';
import { toToolIndex } from '../../openapi/tool-index.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { snakeCase } from '../../platform/rules/shape.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { toolsDiff, type ToolsDiff } from '../../servers/rules/differences/tools-diff.ts';
import {
  type FetchedAddress,
  type FetchPermission,
  type FetchTerms,
  noting,
} from '../../servers/rules/fetch-terms.ts';
import { exposed, exposures } from '../../servers/rules/exposure.ts';
import { newDeployment, withChoices, withoutChoices } from '../../servers/rules/next-deployment.ts';
import {
  changedPublication,
  PublicationSettings,
  withoutSettings,
} from '../../deployments/rules/publication.ts';
import { checkPlace, freeSlug } from '../../servers/steps/deployments/create-deployment.ts';
import { draftVersion, ownersVersion } from '../../servers/steps/deployments/draft-version.ts';
import { findOwned } from '../../deployments/steps/owned-deployment.ts';
import { differenceTo } from '../../servers/steps/deployments/revise-deployment.ts';
import { storedDescription } from '../../servers/steps/deployments/versions.ts';
import {
  type CompiledDescription,
  compileDescription,
  publishedFrom,
} from '../../servers/steps/descriptions/compile-description.ts';
import {
  countFetch,
  type DescriptionSource,
  type FetchDescriptionPorts,
  fetchedForNew,
  fetchedForNext,
} from '../../servers/steps/descriptions/fetch-description.ts';
import { withCredentialWarnings } from '../../servers/steps/descriptions/warnings-of.ts';
import type { Declaration } from '../rules/declaration.ts';
import { type Difference, differences } from '../rules/members.ts';
import { type DeclaredForm, presentForm, wantedForm } from './declared-form.ts';
import type { PortsOf } from '../../platform/ports.ts';

type PlanDeclarationPorts = FetchDescriptionPorts &
  CountWorkPorts &
  PortsOf<typeof presentForm> &
  Pick<DeploymentsPorts, 'clock' | 'deploymentEditor' | 'random' | 'toolIndexes'>;

export interface DeclarationPlan {
  readonly before: Deployment | undefined;
  readonly differences: readonly Difference[];
  /** What must be sent in full to apply it: `openapi`, `resources.guide`, `credentials.main`. */
  readonly needs: readonly string[];
  /** Absent if the tools stay, or the description is not known. */
  readonly tools?: ToolsDiff;
  readonly toolCount?: number;
  readonly warnings: readonly Finding[];
  /** What strangers could newly do. */
  readonly exposures: readonly Finding[];
  readonly fetched: readonly FetchedAddress[];
}

/**
 * Plans without storing. Contents, missing texts and rights to remove are checked only when the plan is applied.
 *
 * @throws ApiRefusal for a slug that is taken, an address that cannot be fetched, and faults of the description
 * Source: docs/declarations.md, "Plan".
 */
export const planDeclaration = async (
  ports: PlanDeclarationPorts,
  owner: User,
  may: FetchPermission,
  slug: string,
  declaration: Declaration,
): Promise<DeclarationPlan> => {
  const terms = noting(may);
  const before = await present(ports, owner, slug);
  const compared = await compare(ports, before, declaration);
  const plan = { before, differences: compared.differences, needs: compared.needs };
  if (!before) await checkFree(ports, owner, slug);
  const source = sourceOf(compared, declaration);
  const compiled =
    source || (before && compared.changesTools && !compared.needs.includes('openapi'))
      ? await compiledFor(ports, terms, { owner, slug, before, declaration, source })
      : undefined;
  const index = before && (await ports.toolIndexes.find(before.id, before.version));
  const draft = draftOf(before, declaration, compiled);
  const then = compiled?.index ?? index;
  return {
    ...plan,
    ...(compiled && {
      tools: before
        ? await differenceTo(ports, before, compiled)
        : toolsDiff(NO_TOOLS, compiled.index),
      toolCount: compiled.index.tools.length,
    }),
    warnings: compiled ? withCredentialWarnings(compiled, compiled.index, before) : [],
    exposures: exposures(before && exposed(before, index), exposed(draft, then)),
    fetched: terms.fetched,
  };
};

/** The owner's deployment; undefined while it is being removed. */
export const present = async (
  ports: Pick<DeploymentsPorts, 'deploymentEditor'>,
  { id: ownerId }: User,
  slug: string,
): Promise<Deployment | undefined> => {
  const found = await findOwned(ports, { ownerId, slug });
  return found?.status === 'removing' ? undefined : found;
};

export interface Compared {
  readonly before: DeclaredForm | undefined;
  readonly wanted: DeclaredForm;
  readonly differences: readonly Difference[];
  readonly needs: readonly string[];
  readonly changesDescription: boolean;
  readonly changesTools: boolean;
}

export const compare = async (
  ports: PortsOf<typeof presentForm>,
  deployment: Deployment | undefined,
  declaration: Declaration,
): Promise<Compared> => {
  const before = deployment && (await presentForm(ports, deployment));
  const wanted = wantedForm(deployment, declaration);
  const all = differences(before ?? {}, wanted);
  const changes = (member: string) => all.some((one) => one.member === member);
  const needs = [
    ...('sha256' in declaration.description && changes('openapi') ? ['openapi'] : []),
    ...(['resources', 'prompts'] as const).flatMap((kind) =>
      declaration[kind].flatMap((content) => {
        const there = member<object>(before?.[kind] ?? {}, content.name);
        const isThere =
          'sha256' in content && there && Reflect.get(there, 'sha256') === content.sha256;
        return 'sha256' in content && !isThere ? [`${kind}.${content.name}`] : [];
      }),
    ),
    ...Object.entries(declaration.credentials).flatMap(([name, one]) =>
      'keeps' in one && changes(`credentials.${name}`) ? [`credentials.${name}`] : [],
    ),
  ];
  return {
    before,
    wanted,
    differences: all,
    needs,
    changesDescription: changes('openapi'),
    changesTools: all.some(({ member }) => OF_TOOLS.includes(member.split('.')[0] ?? '')),
  };
};

const OF_TOOLS: readonly string[] = ['openapi', ...Object.keys(PublicationSettings.shape)].map(
  (name) => snakeCase(name),
);

export const NO_TOOLS = toToolIndex([]);

/** Source of a changed description; undefined if it stays. */
export const sourceOf = (
  { changesDescription }: Compared,
  { description }: Declaration,
): DescriptionSource | undefined => {
  if (!changesDescription || 'sha256' in description) return undefined;
  return 'url' in description ? { url: description.url } : { sent: description.text };
};

const checkFree = async (ports: PlanDeclarationPorts, owner: User, slug: string): Promise<void> => {
  await checkPlace(ports, owner.id, ports.settings.limits.active_deployments_per_user);
  const place = { slug, ownerId: owner.id };
  await freeSlug(ports, place, slug, ports.random.id(), () => false);
};

interface ToCompile {
  readonly owner: User;
  readonly slug: string;
  readonly before: Deployment | undefined;
  readonly declaration: Declaration;
  readonly source: DescriptionSource | undefined;
}

const compiledFor = async (
  ports: PlanDeclarationPorts,
  terms: FetchTerms,
  { owner, slug, before, declaration, source }: ToCompile,
): Promise<CompiledDescription> => {
  const { choices } = declaration;
  if (source) await countFetch(ports, source, owner.id);
  const used = source ?? (before && (await storedDescription(ports, before.id, before.version)));
  const publication = publishedFrom(
    changedPublication(withoutSettings(before?.publication ?? {}), declaration.publication),
    source,
  );
  const fetchedFor = before
    ? fetchedForNext(before, withChoices(withoutChoices(before), choices))
    : fetchedForNew({ id: ports.random.id(), slug, ownerId: owner.id }, choices);
  return compileDescription(ports, terms, used ?? { sent: '' }, publication, owner.plan, {
    former: before?.publication.operations,
    fetchedFor,
  });
};

const draftOf = (
  before: Deployment | undefined,
  { choices }: Declaration,
  compiled: CompiledDescription | undefined,
): Deployment => {
  const base = before ?? newDeployment({ id: '', slug: '', ownerId: '', title: '' }, {}, 0);
  const change = { choices, isWhole: true, compiled, origin: ownersVersion(undefined) };
  return draftVersion(base, change, 0)?.deployment ?? base;
};
