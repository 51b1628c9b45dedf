import { member } from '../../platform/rules/json/json.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { Prompt, Resource } from '../../contents/rules/contents.ts';
import { ownPrompts, ownResources } from '../../contents/steps/contents.ts';
import type { ContentsPorts } from '../../contents/ports.ts';
import { usageSubject } from '../../limits/rules/windows.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import {
  asLookedAt,
  type FetchedAddress,
  type FetchPermission,
  type FetchTerms,
} from '../../servers/rules/fetch-terms.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { toolsDiff, type ToolsDiff } from '../../servers/rules/differences/tools-diff.ts';
import { checkManager, type Manager } from '../../deployments/rules/manager.ts';
import { checkRevision, revisionTag, type Revisions } from '../../deployments/rules/revision.ts';
import { removeCredential, setCredential } from '../../servers/steps/credential/credential.ts';
import { createDeployment } from '../../servers/steps/deployments/create-deployment.ts';
import { noDeployment } from '../../deployments/steps/owned-deployment.ts';
import { reviseDeployment } from '../../servers/steps/deployments/revise-deployment.ts';
import type { DeclaredContent, Declaration } from '../rules/declaration.ts';
import type { Difference } from '../rules/members.ts';
import { type Compared, compare, NO_TOOLS, present, sourceOf } from './plan-declaration.ts';
import type { presentForm } from './declared-form.ts';
import {
  type ApplyPermission,
  checkRemovals,
  goneOf,
  isAdopted,
  KINDS,
  takenOverAt,
} from './check-removals.ts';
import type { PortsOf } from '../../platform/ports.ts';

type ApplyDeclarationPorts = PortsOf<
  | typeof createDeployment
  | typeof ownResources
  | typeof ownPrompts
  | typeof presentForm
  | typeof reviseDeployment
  | typeof setCredential
  | typeof removeCredential
>;

export interface ToApply {
  readonly slug: string;
  readonly declaration: Declaration;
  readonly by: string;
  /** Whether it may take over a deployment that no declaration manages. */
  readonly adopts: boolean;
  /** Revisions that the plan was made for; any if undefined. */
  readonly revisions: Revisions;
  /** Addresses and hashes of what the plan fetched; undefined without a plan. */
  readonly planned: readonly FetchedAddress[] | undefined;
  /** Id of the request, and of the deployment if it creates one. */
  readonly attempt: string;
}

export interface Applied {
  readonly isThere: boolean;
  readonly deployment: Deployment;
  readonly differences: readonly Difference[];
  readonly tools: ToolsDiff;
  readonly warnings: readonly Finding[];
}

/**
 * Makes a deployment what its declaration says: first settings and tools in one transaction, then credentials, then
 * contents. Undeclared credentials are removed before others are set, undeclared contents last, unless their uri is
 * needed. An apply that broke off is completed by repeating it.
 *
 * @throws ApiRefusal managed, stale, token_not_allowed, slug_taken, limit_reached, and faults of the declaration; those
 *   that are found before the first change leave everything unchanged
 * Source: docs/declarations.md, "Apply".
 */
export const applyDeclaration = async (
  ports: ApplyDeclarationPorts,
  owner: User,
  may: ApplyPermission,
  wanted: ToApply,
): Promise<Applied> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyOnce(ports, owner, may, wanted);
    } catch (error) {
      if (wanted.revisions || attempt === ATTEMPTS) throw error;
      if (!(await isOvertaken(ports, owner, wanted, error))) throw error;
    }
  }
};

/** Comparisons per request: a concurrent change invalidates one. */
const ATTEMPTS = 3;

/** Whether a retry may succeed: another change came first, or the same declaration was applied twice at once. */
const isOvertaken = async (
  ports: ApplyDeclarationPorts,
  owner: User,
  { slug, by }: ToApply,
  error: unknown,
): Promise<boolean> => {
  if (!(error instanceof ApiRefusal)) return false;
  if (error.code !== 'slug_taken') return error.code === 'stale';
  return (await present(ports, owner, slug))?.managedBy?.by === by;
};

/** @throws ApiRefusal stale, before the first change, if the deployment changed since it was compared */
const applyOnce = async (
  ports: ApplyDeclarationPorts,
  owner: User,
  may: ApplyPermission,
  wanted: ToApply,
): Promise<Applied> => {
  const { slug, declaration, revisions } = wanted;
  const before = await present(ports, owner, slug);
  if (before) {
    checkManager(before, wanted);
    checkRevision(before, revisions);
  } else if (revisions) {
    throw noDeployment();
  }
  const compared = await compare(ports, before, declaration);
  checkNeeds(compared, declaration);
  checkContents(ports, owner, slug, declaration);
  await checkRemovals(ports, may, before, wanted, compared);
  const terms = termsOf(may, wanted);
  const managedBy = await managerOf(ports, before, wanted);

  const made = before
    ? await change(ports, owner, terms, { ...wanted, before, compared, managedBy })
    : await create(ports, owner, terms, { ...wanted, managedBy });
  return {
    ...made,
    isThere: before !== undefined,
    differences: compared.differences,
    warnings: [...made.warnings, ...unsetCredentials(slug, compared)],
  };
};

/** Checks all contents before anything is changed. @throws ApiRefusal invalid_request */
const checkContents = (
  ports: PortsOf<typeof ownResources | typeof ownPrompts>,
  { id: ownerId }: User,
  slug: string,
  { resources, prompts }: Declaration,
): void => {
  const contents = contentsAt(ports, { ownerId, slug });
  for (const resource of resources) contents.resources.check(resource);
  for (const prompt of prompts) contents.prompts.check(prompt);
};

/** Publishes exactly what the plan fetched: an address may serve something else by now. */
const termsOf = (may: FetchPermission, { planned, revisions }: ToApply): FetchTerms => {
  return revisions && !planned ? { may, took: notSaid } : asLookedAt(may, planned);
};

const notSaid = (url: string): never => {
  throw new ApiRefusal(
    'invalid_request',
    `What the plan fetched is not said, and ${url} is needed.`,
    {
      where: '/fetched',
      what: 'missing beside If-Match',
      hint: 'Send `fetched` as the plan answered it; or, without a plan, leave If-Match out.',
    },
  );
};

const managerOf = async (
  { clock, resources }: Pick<ContentsPorts, 'clock' | 'resources'>,
  before: Deployment | undefined,
  { by, declaration: { isProtected } }: ToApply,
): Promise<Manager> => {
  const since = before?.managedBy?.by === by ? before.managedBy.at : undefined;
  const now = clock.now();
  return {
    by,
    at: since ?? (before ? await takenOverAt(resources, before, now) : now),
    ...(isAdopted(before, by) && { isAdopted: true as const }),
    ...(isProtected && { isProtected }),
  };
};

/** A secret that was never set is only a warning. @throws ApiRefusal invalid_request for missing texts */
const checkNeeds = ({ needs, before }: Compared, { credentials }: Declaration): void => {
  const findings = needs.flatMap((need): readonly Finding[] => {
    const [kind = '', ...rest] = need.split('.');
    const name = rest.join('.');
    if (kind !== 'credentials') {
      return [
        {
          where: `/${need.replace('.', '/')}`,
          what: 'not what is deployed, and sent without its text',
          hint: 'Send its text: only the digest came.',
        },
      ];
    }
    return member(before?.credentials ?? {}, name) && member(credentials, name)
      ? [
          {
            where: `/credentials/${name}`,
            what: 'declared otherwise than the one that is set, whose secret would stay',
            hint: 'Give its secret too (`env`, `file`), or set it so with `npx --no-install hosted-mcp credential set`.',
          },
        ]
      : [];
  });
  if (findings.length === 0) return;
  throw new ApiRefusal('invalid_request', 'Something is missing from the declaration.', findings);
};

const unsetCredentials = (slug: string, { needs }: Compared): readonly Finding[] =>
  needs
    .filter((need) => need.startsWith('credentials.'))
    .map((need) => {
      const name = need.slice('credentials.'.length);
      return {
        where: `/credentials/${name}`,
        what: 'declared, and not set yet: calls go without it',
        hint: `npx --no-install hosted-mcp credential set ${slug} --credential ${name}`,
      };
    });

/** Whether the text was sent is checked by `checkNeeds`. */
const sentText = (description: { readonly text: string } | { readonly sha256: string }): string =>
  'text' in description ? description.text : '';

type Made = Pick<Applied, 'deployment' | 'tools' | 'warnings'>;
type Managed = ToApply & { readonly managedBy: Manager };

const create = async (
  ports: ApplyDeclarationPorts,
  owner: User,
  terms: FetchTerms,
  { slug, declaration, managedBy, attempt }: Managed,
): Promise<Made> => {
  const { choices, publication, description, resources, prompts } = declaration;
  const source = 'url' in description ? { url: description.url } : { sent: sentText(description) };
  const wanted = { source, slug, choices: { ...choices, managedBy }, publication };
  const { deployment, warnings } = await createDeployment(ports, owner, terms, wanted, attempt);
  const owned = { ownerId: owner.id, slug };
  const contents = contentsAt(ports, owned);
  for (const resource of resources) await contents.resources.put(resource, false);
  for (const prompt of prompts) await contents.prompts.put(prompt, false);
  const set = await setCredentials(ports, owned, declaration);
  const index = await ports.toolIndexes.find(deployment.id, deployment.version);
  return {
    deployment,
    tools: toolsDiff(NO_TOOLS, index ?? NO_TOOLS),
    warnings: [...warnings, ...set],
  };
};

const change = async (
  ports: ApplyDeclarationPorts,
  owner: User,
  terms: FetchTerms,
  {
    slug,
    declaration,
    managedBy,
    before,
    compared,
  }: Managed & { readonly before: Deployment; readonly compared: Compared },
): Promise<Made> => {
  const owned = { ownerId: owner.id, slug };
  const { choices, publication } = declaration;
  const changes = new Set(compared.differences.map(({ member }) => member));
  const contents = contentsAt(ports, owned);
  const gone = (kind: (typeof KINDS)[number]) => goneOf(compared, kind);

  const source = sourceOf(compared, declaration);
  // Conditional on the revision that was compared.
  const asCompared = { ...owned, revisions: [revisionTag(before)] };
  const { deployment, tools, warnings } = await reviseDeployment(ports, terms, asCompared, {
    isWhole: true,
    source,
    choices: {
      ...choices,
      managedBy,
      ownerPlan: owner.plan,
      ownerUsage: usageSubject(owner.email),
    },
    ...((source !== undefined || compared.changesTools) && {
      publication: withBaseUrl(publication),
    }),
  });

  for (const name of gone('credentials')) await removeCredential(ports, { ...owned, name });
  const set = await setCredentials(ports, owned, declaration);

  // Resources whose uri a declared one takes over are removed first, since uris are unique.
  const uris = new Set(declaration.resources.map(({ uri }) => uri));
  const isInTheWay = (name: string) =>
    uris.has(String(Reflect.get(member(compared.before?.resources ?? {}, name) ?? {}, 'uri')));
  for (const name of gone('resources').filter(isInTheWay)) await contents.resources.remove(name);
  for (const resource of declaration.resources) {
    const { name } = resource;
    if (changes.has(`resources.${name}`)) {
      await contents.resources.put(resource, Object.hasOwn(compared.before?.resources ?? {}, name));
    }
  }
  for (const prompt of declaration.prompts) {
    const { name } = prompt;
    if (changes.has(`prompts.${name}`)) {
      await contents.prompts.put(prompt, Object.hasOwn(compared.before?.prompts ?? {}, name));
    }
  }
  for (const name of gone('resources').filter((one) => !isInTheWay(one))) {
    await contents.resources.remove(name);
  }
  for (const name of gone('prompts')) await contents.prompts.remove(name);
  return { deployment, tools, warnings: [...warnings, ...set] };
};

/** An undeclared base address becomes null, so that merely removing settings makes a new version too. */
const withBaseUrl = (publication: Declaration['publication']): Declaration['publication'] => ({
  ...publication,
  apiBaseUrl: publication.apiBaseUrl ?? null,
});

/** Sets the credentials whose secrets were sent. @returns warnings */
const setCredentials = async (
  ports: PortsOf<typeof setCredential>,
  owned: { readonly ownerId: string; readonly slug: string },
  { credentials }: Declaration,
): Promise<readonly Finding[]> => {
  const warnings: Finding[] = [];
  for (const [name, one] of Object.entries(credentials)) {
    if ('keeps' in one) continue;
    const { credential, origins, schemes } = one;
    const set = await setCredential(ports, { ...owned, name, credential, origins, schemes });
    warnings.push(...set.warnings);
  }
  return warnings;
};

type Owned = Parameters<typeof setCredentials>[1];

/** Writes contents by create or replace, whatever an earlier apply that broke off has left. */
const contentsAt = (ports: PortsOf<typeof ownResources | typeof ownPrompts>, owned: Owned) => ({
  resources: contentsOf<Resource, 'content'>(ownResources(ports), 'content', owned),
  prompts: contentsOf<Prompt, 'template'>(ownPrompts(ports), 'template', owned),
});

type Verbs<Content> = Pick<ReturnType<typeof ownResources>, 'remove'> & {
  check(content: Content): void;
  find(owned: Owned, name: string): Promise<Content>;
  create(owned: Owned, content: Content): Promise<Content>;
  replace(owned: Owned, content: Content, revisions: undefined): Promise<Content>;
};

const contentsOf = <Content extends { readonly name: string }, Text extends keyof Content & string>(
  { check, find, create: add, replace, remove }: Verbs<Content>,
  text: Text,
  owned: Owned,
) => {
  /** Restores the deployed text of contents that were sent with its hash. */
  const withText = async (declared: DeclaredContent<Content, Text>): Promise<Content> => {
    if (!('sha256' in declared)) return declared;
    const { sha256: _, ...rest } = declared;
    const there = await find(owned, String(Reflect.get(declared, 'name')));
    return { ...rest, [text]: there[text] } as unknown as Content;
  };
  return {
    /** Contents that were sent as a hash were checked when they were stored. */
    check: (declared: DeclaredContent<Content, Text>): void => {
      if (!('sha256' in declared)) check(declared);
    },
    put: async (declared: DeclaredContent<Content, Text>, isThere: boolean): Promise<void> => {
      const content = await withText(declared);
      await (isThere ? replace(owned, content, undefined) : add(owned, content));
    },
    remove: (name: string): Promise<void> => remove(owned, name, undefined),
  };
};
