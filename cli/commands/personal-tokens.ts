import { type Command, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { TOKEN_SCOPES } from '../../layers/accounts/rules/token-scopes.ts';
import { cell } from '../text/table.ts';
import { localTime } from '../text/time.ts';

const add = command({
  name: 'personal-token add',
  summary: 'Makes a token by which a program of yours signs in, such as a pipeline',
  places: ['name'],
  options: {
    scope: {
      value: 'SCOPE',
      help: 'read (look, plan), logs (calls too), declare (apply too) or all',
    },
    slug: { value: 'SLUG', multiple: true, help: 'only these servers; orders-* for some' },
    days: { value: 'NUMBER', help: 'how long it lives; 90 if omitted' },
  },
  details: [
    'Within ten minutes of npx --no-install hosted-mcp login. The token is shown this once: put it where the program finds it as',
    'HOSTED_MCP_TOKEN, with HOSTED_MCP_URL. It is for the management API alone, and for no MCP client.',
  ],
  run: async ({ api, output }, { name }, { scope: wanted, slug, days }) => {
    const scope = TOKEN_SCOPES.find((one) => one === wanted);
    if (!scope) throw usageFailure(`--scope must be ${TOKEN_SCOPES.join(', ')}.`);
    if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) {
      throw usageFailure(`--days must be a number, not "${days}".`);
    }
    const json = {
      name,
      scope,
      ...(slug.length > 0 && { slugs: [...slug] }),
      ...(days !== undefined && { days: Number(days) }),
    };
    const made = await api.call('POST /account/tokens', { json });
    output.note(`It ends on ${localTime(made.expires_at)}; personal-token rm ends it before.`);
    output.result(made, [made.token]);
  },
});

const list = command({
  name: 'personal-token ls',
  summary: 'Lists your personal access tokens, never their texts',
  run: async ({ api, output }) => {
    const { items } = await api.call('GET /account/tokens');
    output.rows(
      items,
      {
        id: (one) => one.id.slice(0, 12),
        name: 'name',
        scope: 'scope',
        servers: (one) => cell(one.slugs ?? 'all'),
        used: (one) => one.used_on ?? 'never',
        ends: (one) => localTime(one.expires_at),
      },
      'You have none.',
    );
  },
});

const remove = command({
  name: 'personal-token rm',
  summary: 'Ends a personal access token at once',
  places: ['id'],
  details: ['The id as the list has it, or its beginning.'],
  run: async ({ api, output }, { id: typed }) => {
    const { items } = await api.call('GET /account/tokens');
    const [found, ...others] = items.filter(({ id }) => typed !== '' && id.startsWith(typed));
    if (others.length > 0) throw usageFailure(`Several ids begin with ${typed}.`);
    await api.call('DELETE /account/tokens/{id}', { path: { id: found?.id ?? typed } });
    output.result({ removed: true }, [`${found?.name ?? typed} has ended.`]);
  },
});

export const personalTokenCommands: readonly Command[] = [add, list, remove];
