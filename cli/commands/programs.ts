import { TOKEN_SCOPES } from '../../layers/accounts/rules/token-scopes.ts';
import { command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { numberIn, pairOf } from '../input/arguments.ts';
import { cell } from '../text/table.ts';
import { localTime, timeOf } from '../text/time.ts';
import { listCommand, operationCommand, removeCommand } from './operation-command.ts';

/** What a program may do in a person's name. */
const MAY = {
  scope: {
    value: 'SCOPE',
    help: 'read (look, plan), logs (read, and calls, events, problems), declare (read, and apply) or all',
  },
  slug: { value: 'SLUG', multiple: true, help: 'only these servers; orders-* for some' },
} as const;

/** @throws Failure usage */
const permitted = (given: {
  readonly scope: string | undefined;
  readonly slug: readonly string[];
}) => {
  const scope = TOKEN_SCOPES.find((one) => one === given.scope);
  if (!scope) throw usageFailure(`--scope must be one of ${TOKEN_SCOPES.join(', ')}.`);
  return { scope, ...(given.slug.length > 0 && { slugs: [...given.slug] }) };
};

const SERVERS = (one: { readonly slugs?: readonly string[] }) => cell(one.slugs ?? 'all');
const USED = (one: { readonly used_on?: string }) => one.used_on ?? 'never';

const addToken = operationCommand({
  name: 'personal-token add',
  summary: 'Creates a token by which a program signs in, such as a pipeline',
  at: 'POST /account/tokens',
  places: ['name'],
  options: { ...MAY, days: { value: 'NUMBER', help: 'how long it lives; 90 if omitted' } },
  details: [
    'Within ten minutes of npx --no-install hosted-mcp login. The token is shown this once: put it where the program finds it as',
    'HOSTED_MCP_TOKEN, with HOSTED_MCP_URL. It is for the management API alone, and for no MCP client.',
  ],
  sends: ({ days, ...given }, { name }) => ({
    json: {
      name,
      ...permitted(given),
      ...(days !== undefined && { days: numberIn('--days', days) }),
    },
  }),
  lines: ({ token }) => [token],
  note: ({ expires_at: end }) =>
    `It expires at ${localTime(end)}; personal-token rm revokes it before.`,
});

const listTokens = listCommand({
  name: 'personal-token ls',
  summary: 'Lists your personal access tokens, never their texts',
  at: 'GET /account/tokens',
  columns: {
    id: (one) => one.id.slice(0, 12),
    name: 'name',
    scope: 'scope',
    servers: SERVERS,
    used: USED,
    ends: timeOf('expires_at'),
  },
  empty: () => 'You have none.',
});

const removeToken = command({
  name: 'personal-token rm',
  summary: 'Revokes a personal access token at once',
  places: ['id'],
  details: ['The id as the list has it, or its beginning.'],
  run: async ({ api, output }, { id: typed }) => {
    const { items } = await api.call('GET /account/tokens');
    const [found, ...others] = items.filter(({ id }) => typed !== '' && id.startsWith(typed));
    if (others.length > 0) throw usageFailure(`Several ids begin with ${typed}.`);
    const { id, name } = found ?? { id: typed, name: typed };
    await api.call('DELETE /account/tokens/{id}', { path: { id } });
    output.result({ removed: id }, [`${name} has ended.`]);
  },
});

const addTrust = operationCommand({
  name: 'trust add',
  summary: 'Workload identity: a machine, such as a GitHub workflow, signs in without a secret',
  at: 'POST /account/trusts',
  places: ['name'],
  options: {
    ...MAY,
    'repository-id': { value: 'NUMBER', help: 'of GitHub: gh api repos/OWNER/NAME --jq .id' },
    'owner-id': { value: 'NUMBER', help: 'of GitHub: gh api repos/OWNER/NAME --jq .owner.id' },
    environment: { value: 'NAME', help: 'of GitHub: only jobs of this environment' },
    ref: { value: 'REF', help: 'of GitHub: only this branch or tag, as refs/heads/main' },
    workflow: { value: 'REF', help: 'of GitHub: only this reusable workflow (job_workflow_ref)' },
    'role-arn': {
      value: 'ARN',
      help: 'a role of AWS, such as that of CodeBuild; without its path',
    },
    issuer: {
      value: 'URL',
      help: 'another than github.com, such as https://HOST/_services/token of GitHub Enterprise',
    },
    keys: { value: 'URL', help: 'where that publishes its keys' },
    claim: { value: 'NAME=TEXT', multiple: true, help: 'what its tokens have to say' },
  },
  details: [
    'Within ten minutes of npx --no-install hosted-mcp login. The id that is shown goes into the pipeline as HOSTED_MCP_TRUST,',
    'with HOSTED_MCP_URL; it is no secret. A workflow needs the permission id-token: write.',
    'GitLab: --issuer https://gitlab.com --keys https://gitlab.com/oauth/discovery/keys',
    '--claim project_id=NUMBER --claim ref_path=refs/heads/main. What other platforms need is said where it is missing.',
    'Runs of pull and merge requests look and plan, whatever the scope.',
  ],
  sends: (given, { name }) => {
    const named = Object.entries({
      repository_id: given['repository-id'],
      repository_owner_id: given['owner-id'],
      environment: given.environment,
      ref: given.ref,
      job_workflow_ref: given.workflow,
    }).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const role = given['role-arn'] === undefined ? undefined : roleOf(given['role-arn']);
    const more = given.claim.map((text) => pairOf('--claim', text));
    const json = {
      name,
      ...permitted(given),
      claims: { ...Object.fromEntries([...named, ...more]), ...role },
      issuer: given.issuer ?? (role && AWS_ROLES),
      jwks_uri: given.keys,
    };
    return { json };
  },
  lines: ({ id }) => [id],
  note: ({ id }, { api }) =>
    `In the pipeline: HOSTED_MCP_URL=${api.baseUrl} HOSTED_MCP_TRUST=${id}`,
});

const AWS_ROLES = 'https://sts.amazonaws.com';

/** @throws Failure usage */
const roleOf = (arn: string): Readonly<Record<'account' | 'role', string>> => {
  const [, partition, service, , account = '', resource = ''] = arn.split(':');
  const [kind, ...path] = resource.split('/');
  const role = path.at(-1);
  if (partition?.startsWith('aws') && service === 'iam' && kind === 'role' && role) {
    return { account, role };
  }
  throw usageFailure(`--role-arn is arn:aws:iam::ACCOUNT:role/NAME, not "${arn}".`);
};

const listTrusts = listCommand({
  name: 'trust ls',
  summary: 'Lists the trusts by which machines sign in',
  at: 'GET /account/trusts',
  columns: {
    id: 'id',
    name: 'name',
    scope: 'scope',
    servers: SERVERS,
    claims: (one) =>
      Object.entries(one.claims)
        .map(([claim, text]) => `${claim}=${cell(text)}`)
        .join(' '),
    used: USED,
  },
  empty: () => 'There is none.',
});

const removeTrust = removeCommand({
  name: 'trust rm',
  summary: 'Removes the trust in a machine',
  at: 'DELETE /account/trusts/{id}',
  line: (_, named) => `The trust ${named} is removed.`,
});

export const programCommands = [
  addToken,
  listTokens,
  removeToken,
  addTrust,
  listTrusts,
  removeTrust,
];
