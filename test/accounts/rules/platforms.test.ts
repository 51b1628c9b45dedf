import { describe, expect, test } from '@jest/globals';
import {
  checkAsked,
  grantedScope,
  type Trust,
  trustFindings,
} from '../../../layers/accounts/rules/trust.ts';

/** As each platform documents its tokens. */
const TOKENS = {
  github: {
    iss: 'https://token.actions.githubusercontent.com',
    sub: 'repo:acme/orders:ref:refs/heads/main',
    event_name: 'push',
    ref: 'refs/heads/main',
    head_ref: '',
    base_ref: '',
    repository: 'acme/orders',
    repository_id: '4711',
    repository_owner: 'acme',
    repository_owner_id: '815',
    ref_protected: 'true',
    runner_environment: 'github-hosted',
  },
  gitlab: {
    iss: 'https://gitlab.com',
    sub: 'project_path:acme/orders:ref_type:branch:ref:main',
    namespace_id: '72',
    namespace_path: 'acme',
    project_id: '20',
    project_path: 'acme/orders',
    pipeline_id: '574',
    pipeline_source: 'push',
    ref: 'main',
    ref_type: 'branch',
    ref_path: 'refs/heads/main',
    ref_protected: 'true',
    environment: 'production',
    environment_protected: 'true',
  },
  buildkite: {
    iss: 'https://agent.buildkite.com',
    sub: 'organization:acme:pipeline:orders:ref:refs/heads/main:commit:1:step:build',
    organization_slug: 'acme',
    pipeline_slug: 'orders',
    pipeline_id: '0184990a-477b-4fa8-9968-496074483cee',
    build_branch: 'main',
    build_source: 'webhook',
  },
  circleci: {
    iss: 'https://oidc.circleci.com/org/1',
    sub: 'org/1/project/2/user/3',
    'oidc.circleci.com/project-id': '2',
    'oidc.circleci.com/vcs-origin': 'github.com/acme/orders',
    'oidc.circleci.com/vcs-ref': 'refs/heads/main',
  },
  bitbucket: {
    iss: 'https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc',
    repositoryUuid: '{1}',
    workspaceUuid: '{2}',
    pipelineUuid: '{3}',
    branchName: 'main',
  },
} as const;
type Name = keyof typeof TOKENS;

const ELSEWHERE = 'https://id.acme.example';
const trustIn = (name: Name, asked: readonly string[], issuer = ELSEWHERE): Trust => {
  const said: Readonly<Record<string, string>> = TOKENS[name];
  return {
    userId: 'u',
    name: 'x',
    issuer,
    scope: 'all',
    createdAt: 0,
    claims: Object.fromEntries(asked.map((one) => [one, said[one] ?? ''])),
  };
};

describe('a trust in a pipeline, at any address', () => {
  test.each<readonly [Name, readonly string[]]>([
    ['github', ['repository_id', 'repository_owner_id', 'ref']],
    ['github', ['repository_id', 'repository_owner_id', 'environment']],
    ['github', ['repository_id', 'repository_owner_id', 'job_workflow_ref']],
    ['gitlab', ['project_id', 'ref_path']],
    ['gitlab', ['project_id', 'ref', 'ref_type']],
    ['gitlab', ['project_id', 'environment', 'environment_protected']],
    ['buildkite', ['pipeline_id', 'build_branch']],
    ['circleci', ['oidc.circleci.com/project-id', 'oidc.circleci.com/vcs-ref']],
    ['bitbucket', ['repositoryUuid', 'branchName']],
  ])('of %s may ask for %j', (name, asked) => {
    for (const issuer of [ELSEWHERE, TOKENS[name].iss]) {
      const trust = trustIn(name, asked, issuer);
      expect(trustFindings(trust)).toEqual([]);
      expect(() => checkAsked(trust, { ...TOKENS[name], iss: issuer })).not.toThrow();
      expect(grantedScope(trust, { ...TOKENS[name], iss: issuer })).toBe('all');
    }
  });

  test.each<readonly [Name, readonly string[]]>([
    ['github', ['sub', 'ref']],
    ['github', ['repository', 'ref']],
    ['github', ['repository_id', 'ref']],
    ['github', ['repository_id', 'repository_owner_id']],
    ['gitlab', ['sub', 'ref_path']],
    ['gitlab', ['project_path', 'ref_path']],
    ['gitlab', ['project_id', 'ref']],
    ['gitlab', ['project_id', 'environment']],
    ['gitlab', ['project_id', 'ref_protected']],
    ['buildkite', ['organization_slug', 'pipeline_slug', 'build_branch']],
    ['buildkite', ['pipeline_id', 'build_source']],
    ['circleci', ['oidc.circleci.com/vcs-origin', 'oidc.circleci.com/vcs-ref']],
    ['circleci', ['oidc.circleci.com/project-id', 'sub']],
    ['bitbucket', ['repositoryUuid', 'workspaceUuid']],
  ])('of %s may not ask for %j alone', (name, asked) => {
    expect(trustFindings(trustIn(name, asked, TOKENS[name].iss))).not.toEqual([]);
    // One that was made before, or that did not show whose it would be.
    expect(() => checkAsked(trustIn(name, asked), { ...TOKENS[name], iss: ELSEWHERE })).toThrow(
      expect.objectContaining({ why: expect.stringContaining('end the trust, and add one') }),
    );
  });

  test.each<readonly [Name, string, object]>([
    ['github', 'a pull request', { event_name: 'pull_request' }],
    ['github', 'a pull request of a fork, with secrets', { event_name: 'pull_request_target' }],
    ['github', 'a review', { event_name: 'pull_request_review' }],
    ['github', 'the merge of a pull request', { ref: 'refs/pull/7/merge' }],
    ['github', 'a branch that asks to be merged', { head_ref: 'topic' }],
    ['github', 'an event that is not said', { event_name: undefined }],
    ['github', 'an event that is no text', { event_name: ['push'] }],
    ['gitlab', 'a merge request', { pipeline_source: 'merge_request_event' }],
    ['gitlab', 'a pull request from elsewhere', { pipeline_source: 'external_pull_request_event' }],
    [
      'gitlab',
      'a child of any pipeline, on a ref that is not protected',
      { pipeline_source: 'parent_pipeline', ref_protected: 'false' },
    ],
    [
      'gitlab',
      'a child of a pipeline, of which nothing is said',
      { pipeline_source: 'parent_pipeline', ref_protected: undefined },
    ],
    ['gitlab', 'a source that is new', { pipeline_source: 'duo_workflow' }],
    ['gitlab', 'a source that is not said', { pipeline_source: undefined }],
    ['buildkite', 'a branch of a fork', { build_branch: 'mallory:main' }],
    ['buildkite', 'a branch that is not said', { build_branch: undefined }],
    ['circleci', 'a pull request', { 'oidc.circleci.com/vcs-ref': 'refs/heads/pull/7' }],
    ['circleci', 'a ref of a pull request', { 'oidc.circleci.com/vcs-ref': 'refs/pull/7/head' }],
    ['circleci', 'a ref that is not said', { 'oidc.circleci.com/vcs-ref': undefined }],
  ])('of %s looks, and no more, in runs of %s', (name, _, over) => {
    const said = { ...TOKENS[name], iss: ELSEWHERE, ...over };
    expect(grantedScope(trustIn(name, []), said)).toBe('read');
  });

  test('that says what those of two platforms do keeps the rules of both', () => {
    const both = { ...TOKENS.gitlab, ...TOKENS.github, pipeline_source: 'merge_request_event' };
    expect(grantedScope(trustIn('github', []), both)).toBe('read');
    const asked = ['repository_id', 'repository_owner_id', 'ref'];
    expect(() => checkAsked(trustIn('github', asked), both)).toThrow();
  });

  test.each([
    [{ issuer: 'http://ci.example' }, '/issuer'],
    [{ issuer: 'https://ci.example', jwksUri: 'http://ci.example/keys' }, '/jwks_uri'],
    [{ issuer: 'http://ci.example', jwksUri: 'https://ci.example/keys' }, undefined],
    [{ issuer: 'http://127.0.0.1:8080' }, undefined],
  ])('of %j has keys that are fetched encrypted, or from its own machine', (over, where) => {
    const trust = { ...trustIn('github', []), claims: { team: 'orders', stage: 'prod' }, ...over };
    expect(trustFindings(trust).map((one) => one.where)).toEqual(
      where === undefined ? [] : [where],
    );
  });

  test('of no platform that is known has two claims', () => {
    const trust = { ...trustIn('github', []), claims: { team: 'orders', stage: 'prod' } };
    expect(trustFindings(trust)).toEqual([]);
    expect(grantedScope(trust, { iss: ELSEWHERE, team: 'orders' })).toBe('all');
  });
});
