import { type Command, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { pairOf } from '../input/arguments.ts';
import { TOKEN_SCOPES } from '../../layers/accounts/rules/token-scopes.ts';
import { cell } from '../text/table.ts';

const add = command({
  name: 'trust add',
  summary: 'Lets a machine sign in for you without a secret, such as a GitHub workflow',
  places: ['name'],
  options: {
    scope: {
      value: 'SCOPE',
      help: 'read (look, plan), logs (calls too), declare (apply too) or all',
    },
    slug: { value: 'SLUG', multiple: true, help: 'only these servers; orders-* for some' },
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
  run: async ({ api, output }, { name }, given) => {
    const scope = TOKEN_SCOPES.find((one) => one === given.scope);
    if (!scope) throw usageFailure(`--scope must be ${TOKEN_SCOPES.join(', ')}.`);
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
      scope,
      claims: { ...Object.fromEntries([...named, ...more]), ...role },
      ...(role && { issuer: AWS_ROLES }),
      ...(given.issuer !== undefined && { issuer: given.issuer }),
      ...(given.keys !== undefined && { jwks_uri: given.keys }),
      ...(given.slug.length > 0 && { slugs: [...given.slug] }),
    };
    const made = await api.call('POST /account/trusts', { json });
    output.note(`In the pipeline: HOSTED_MCP_URL=${api.baseUrl} HOSTED_MCP_TRUST=${made.id}`);
    output.result(made, [made.id]);
  },
});

/** What stands for AWS among issuers. */
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

const list = command({
  name: 'trust ls',
  summary: 'Lists the machines that may sign in for you',
  run: async ({ api, output }) => {
    const { items } = await api.call('GET /account/trusts');
    output.rows(
      items,
      {
        id: 'id',
        name: 'name',
        scope: 'scope',
        servers: (one) => cell(one.slugs ?? 'all'),
        claims: (one) =>
          Object.entries(one.claims)
            .map(([claim, text]) => `${claim}=${cell(text)}`)
            .join(' '),
        used: (one) => one.used_on ?? 'never',
      },
      'There is none.',
    );
  },
});

const remove = command({
  name: 'trust rm',
  summary: 'Trusts a machine no more',
  places: ['id'],
  run: async ({ api, output }, { id }) => {
    await api.call('DELETE /account/trusts/{id}', { path: { id } });
    output.result({ removed: true }, [`${id} signs in no more.`]);
  },
});

export const trustCommands: readonly Command[] = [add, list, remove];
