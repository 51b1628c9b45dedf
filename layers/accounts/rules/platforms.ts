import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { MINUTE } from '../../platform/rules/time.ts';

type Claims = Readonly<Record<string, unknown>>;

/** What runs pipelines, and what its tokens say of them. */
interface Platform {
  readonly name: string;
  /** Where it is at home; it may be at any other address too. */
  readonly issuer: RegExp;
  /** Claims that only its tokens have: one with any of them is its, whoever has issued it. */
  readonly marks: readonly string[];
  /** What says for good whose pipeline it is: each has to be asked for. */
  readonly ids: readonly string[];
  /** What somebody else can have one day, and so says nothing. */
  readonly names: readonly string[];
  /** What says which code runs: all of one entry have to be asked for. */
  readonly places: readonly (readonly string[])[];
  /** Where the ids are found. */
  readonly hint: string;
  /** Whether its owner has accepted the code that runs. Where a token does not say so, nobody has. */
  readonly isAccepted: (claims: Claims) => boolean;
  /** For how long its tokens hold at most, and whether each has a number. */
  readonly token?: { readonly mostSeconds: number; readonly isNumbered: true };
}

/**
 * How pipelines of GitLab begin that run what stands at their own ref. That of a child tells nothing: the children of a
 * merge request's pipeline have its code, and the name of its branch, whoever's that is. A ref is protected in none of
 * these, unless both branches are.
 *
 * Source: GitLab Docs, "CI/CD job rules", "CI_PIPELINE_SOURCE predefined variable"; "Downstream pipelines".
 */
const OF_ITS_REF: ReadonlySet<unknown> = new Set([
  'api',
  'chat',
  'pipeline',
  'push',
  'schedule',
  'trigger',
  'web',
]);

/**
 * By claims, since the same platform issues tokens from other addresses: GitHub Enterprise Server, `ghe.com`, the issuer
 * of an enterprise, GitLab on a machine of one's own, a proxy.
 *
 * Azure DevOps is not among them: its tokens are for `api://AzureADTokenExchange` alone, and refused for that.
 */
const PLATFORMS: readonly Platform[] = [
  {
    // Source: GitHub Docs, "OpenID Connect reference", also those of Enterprise Server and Enterprise Cloud.
    name: 'GitHub Actions',
    issuer: /^https:\/\/(?:token\.actions\.[\w.-]{1,200}|[\w.:-]{1,200}\/_services\/token)(?:\/|$)/,
    marks: [
      'event_name',
      'job_workflow_ref',
      'repository_id',
      'repository_owner',
      'repository_owner_id',
      'workflow_ref',
    ],
    ids: ['repository_id', 'repository_owner_id'],
    // The form of `sub` has changed, and an organization may change it.
    names: ['sub', 'repository', 'repository_owner', 'actor'],
    places: [['environment'], ['ref'], ['job_workflow_ref']],
    hint: `gh api repos/OWNER/REPOSITORY --jq '.id, .owner.id' says both.`,
    isAccepted: ({ event_name: event, head_ref: head = '', ref = '' }) =>
      typeof event === 'string' &&
      event !== '' &&
      !event.startsWith('pull_request') &&
      head === '' &&
      !String(ref).startsWith('refs/pull/'),
    token: { mostSeconds: 15 * MINUTE, isNumbered: true },
  },
  {
    // Source: GitLab Docs, "OpenID Connect (OIDC) Authentication Using ID Tokens", "Token payload". In pipelines of merge
    // requests, `ref` is a branch of whoever asks, and `project_id` may be either project's, as users of GitLab report:
    // https://gitlab.com/gitlab-org/gitlab/-/issues/561735
    name: 'GitLab',
    issuer: /^https:\/\/[\w.-]{0,100}gitlab[\w.-]{0,100}(?:[:/]|$)/,
    marks: [
      'ci_config_ref_uri',
      'namespace_id',
      'namespace_path',
      'pipeline_source',
      'project_path',
    ],
    ids: ['project_id'],
    names: ['sub', 'project_path', 'namespace_path', 'user_login', 'user_email'],
    // A tag may be called as a branch is, and anybody's job may name an environment that is not protected.
    places: [['ref_path'], ['ref', 'ref_type'], ['environment', 'environment_protected']],
    hint: 'The page of the project shows its id.',
    isAccepted: ({ pipeline_source: source, ref_protected: isProtected }) =>
      OF_ITS_REF.has(source) || (source === 'parent_pipeline' && isProtected === 'true'),
  },
  {
    // Source: Buildkite Docs, "buildkite-agent oidc", whose --claim adds the ids. It says nothing of pull requests: a
    // branch of a fork has the name that it has there, unless the pipeline prefixes it or builds no forks.
    name: 'Buildkite',
    issuer: /^https:\/\/agent\.buildkite\.com(?:\/|$)/,
    marks: ['build_branch', 'build_commit', 'organization_slug', 'pipeline_slug'],
    ids: ['pipeline_id'],
    names: ['sub', 'organization_slug', 'pipeline_slug'],
    places: [['build_branch'], ['build_tag']],
    hint: 'The step asks for it (buildkite-agent oidc request-token --claim pipeline_id), and its settings show it.',
    isAccepted: ({ build_branch: branch }) => typeof branch === 'string' && !branch.includes(':'),
  },
  {
    // Source: CircleCI Docs, "Using OpenID Connect tokens in jobs", "OIDC in open source projects". The branch of a pull
    // request of a fork is called `pull/` and its number.
    name: 'CircleCI',
    issuer: /^https:\/\/oidc\.circleci\.com(?:\/|$)/,
    marks: [
      'oidc.circleci.com/org-id',
      'oidc.circleci.com/project-id',
      'oidc.circleci.com/vcs-origin',
      'oidc.circleci.com/vcs-ref',
    ],
    ids: ['oidc.circleci.com/project-id'],
    names: ['oidc.circleci.com/vcs-origin'],
    places: [['oidc.circleci.com/vcs-ref']],
    hint: 'Project Settings, Overview shows it.',
    isAccepted: ({ 'oidc.circleci.com/vcs-ref': ref }) =>
      typeof ref === 'string' && /^refs\/(?:heads\/(?!pull\/)|tags\/)/.test(ref),
  },
  {
    // Source: Atlassian Support, "Integrate Pipelines with resource servers using OIDC". Requests of forks run no
    // pipelines of the repository, those of its own branches have the branch's name.
    name: 'Bitbucket Pipelines',
    issuer: /^https:\/\/api\.bitbucket\.org(?:\/|$)/,
    marks: ['pipelineUuid', 'repositoryUuid', 'workspaceUuid'],
    ids: ['repositoryUuid'],
    names: [],
    places: [['branchName'], ['deploymentEnvironmentUuid']],
    hint: 'Repository settings, OpenID Connect shows it, with its braces.',
    isAccepted: () => true,
  },
];

/** Whose a token is, by what it says. One that says what those of several do has to keep the rules of each. */
export const platformsOfToken = (claims: Claims): readonly Platform[] =>
  PLATFORMS.filter(
    ({ issuer, marks }) =>
      issuer.test(String(claims['iss'])) || marks.some((one) => Object.hasOwn(claims, one)),
  );

/** Whose tokens somebody means, by the issuer and what they ask for. */
export const platformsMeant = (issuer: string, asked: readonly string[]): readonly Platform[] =>
  PLATFORMS.filter(
    ({ ids, issuer: home, marks }) =>
      home.test(issuer) || asked.some((one) => marks.includes(one) || ids.includes(one)),
  );

/** What makes that somebody else's pipeline could be meant, too. */
export const looseness = (
  { ids, name, places, hint }: Platform,
  asked: readonly string[],
): readonly Finding[] => [
  ...ids
    .filter((one) => !asked.includes(one))
    .map((one) => ({
      where: `/claims/${pointerPart(one)}`,
      what: `missing, the lasting id in ${name}`,
      hint,
    })),
  ...(places.some((place) => place.every((one) => asked.includes(one)))
    ? []
    : [
        {
          where: '/claims',
          what: `any pipeline of it in ${name}, on any branch`,
          hint: `Give ${placesText(places)} too.`,
        },
      ]),
];

/** What is asked for, and says nothing that lasts. */
export const namesAmong = (
  { ids, name, names, places }: Platform,
  asked: readonly string[],
): readonly Finding[] =>
  asked
    .filter((one) => names.includes(one))
    .map((one) => ({
      where: `/claims/${pointerPart(one)}`,
      what: `a name in ${name}, which somebody else can have one day`,
      hint: `Give ${ids.join(' and ')}, and one of ${placesText(places)}.`,
    }));

const placesText = (places: Platform['places']): string =>
  places
    .map((place) => place.join(' with '))
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1');

const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
