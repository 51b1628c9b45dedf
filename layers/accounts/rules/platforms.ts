import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { MINUTE } from '../../platform/rules/time.ts';

type Claims = Readonly<Record<string, unknown>>;

interface Platform {
  readonly name: string;
  /** Usual issuer; self-hosted instances and enterprises have others. */
  readonly issuer: RegExp;
  /** Claims that only this platform's tokens have: any of them marks a token as its own, whatever the issuer. */
  readonly marks: readonly string[];
  /** Permanent ids of the pipeline's owner; a trust must require each. */
  readonly ids: readonly string[];
  /** Names that somebody else can take over one day, so they prove nothing. */
  readonly names: readonly string[];
  /** Claims that identify the code that runs: a trust must require all claims of one entry. */
  readonly places: readonly (readonly string[])[];
  readonly hint: string;
  /** Whether the pipeline's owner has accepted the code that runs; false where the token does not say. */
  readonly isAccepted: (claims: Claims) => boolean;
  /** Maximum lifetime of its tokens, and that each has a `jti`. */
  readonly token?: { readonly mostSeconds: number; readonly isNumbered: true };
}

/**
 * GitLab's `pipeline_source` values for pipelines that run the code of their own ref. `parent_pipeline` is missing:
 * children of a merge request's pipeline run its code under the name of its branch, whoever wrote it. Such a child's
 * ref is protected only if both branches are.
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
 * Recognized by claims too, since a platform's tokens can have other issuers: GitHub Enterprise Server, `ghe.com`,
 * enterprises with their own issuer, self-hosted GitLab, a proxy.
 *
 * Azure DevOps is missing: the audience of its tokens is always `api://AzureADTokenExchange`, so they are refused.
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
    // The format of `sub` has changed before, and organizations can customize it.
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
    // Source: GitLab Docs, "OpenID Connect (OIDC) Authentication Using ID Tokens", "Token payload". For merge requests,
    // `ref` is a branch of the requester, and `project_id` may be of either project, as users of GitLab report:
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
    // A tag can have the name of a branch, and any job can name an unprotected environment.
    places: [['ref_path'], ['ref', 'ref_type'], ['environment', 'environment_protected']],
    hint: 'The page of the project shows its id.',
    isAccepted: ({ pipeline_source: source, ref_protected: isProtected }) =>
      OF_ITS_REF.has(source) || (source === 'parent_pipeline' && isProtected === 'true'),
  },
  {
    // Source: Buildkite Docs, "buildkite-agent oidc", whose --claim adds the ids. Tokens do not mark pull requests: a
    // fork's branch keeps its own name, unless the pipeline adds a prefix or builds no forks.
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
    // Source: CircleCI Docs, "Using OpenID Connect tokens in jobs", "OIDC in open source projects". For a fork's pull
    // request, the branch is named `pull/` and its number.
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
    // Source: Atlassian Support, "Integrate Pipelines with resource servers using OIDC". Pull requests of forks run no
    // pipelines of the repository; those of its own branches have the branch's name.
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

/** Platforms that a token may be of, by issuer and claims; one that matches several must satisfy the rules of each. */
export const platformsOfToken = (claims: Claims): readonly Platform[] =>
  PLATFORMS.filter(
    ({ issuer, marks }) =>
      issuer.test(String(claims['iss'])) || marks.some((one) => Object.hasOwn(claims, one)),
  );

/** Platforms that a trust is meant for, by its issuer and required claims. */
export const platformsMeant = (issuer: string, asked: readonly string[]): readonly Platform[] =>
  PLATFORMS.filter(
    ({ ids, issuer: home, marks }) =>
      home.test(issuer) || asked.some((one) => marks.includes(one) || ids.includes(one)),
  );

/** Findings for required claims that pipelines of other people could satisfy, too. */
export const looseness = (
  { ids, name, places, hint }: Platform,
  asked: readonly string[],
): readonly Finding[] => [
  ...ids
    .filter((one) => !asked.includes(one))
    .map((one) => ({
      where: pointerTo('claims', one),
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

/** Findings for required claims that are names and can change hands. */
export const namesAmong = (
  { ids, name, names, places }: Platform,
  asked: readonly string[],
): readonly Finding[] =>
  asked
    .filter((one) => names.includes(one))
    .map((one) => ({
      where: pointerTo('claims', one),
      what: `a name in ${name}, which somebody else can have one day`,
      hint: `Give ${ids.join(' and ')}, and one of ${placesText(places)}.`,
    }));

const placesText = (places: Platform['places']): string =>
  places
    .map((place) => place.join(' with '))
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1');
