import { call, readAll } from '../api/call.ts';
import type { ItemOf } from '../api/operation.ts';
import { signOut } from '../api/session.ts';
import { Button, Link } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { Badge, Empty, PageTitle, ProblemNote, Show } from '../kit/show.tsx';
import { scopesInWords } from '../kit/scopes.ts';
import { Time } from '../kit/time.tsx';
import { browserOf } from '../kit/words.ts';
import { useAction } from '../state/action.ts';
import { useAnswer, useList, useLoad } from '../state/load.ts';
import { useAccount } from '../state/session.ts';
import { PersonalTokens } from './personal-tokens.tsx';
import { Trusts } from './trusts.tsx';
import { AccountData } from './account-data.tsx';

export const Page = () => {
  const account = useAccount();
  const grants = useList('own-grants', 'GET /account/grants', {});
  const ending = useAction(async (id: string) => {
    await call('DELETE /account/grants/{id}', { path: { id } });
    grants.reload();
  });
  return (
    <>
      <PageTitle>Account</PageTitle>
      <h2>Clients that act for you</h2>
      <p class="soft">
        You let each of them in on a consent page. One whose access you revoke has to ask you again.
      </p>
      <ProblemNote problem={ending.problem} />
      <Show
        loaded={grants}
        none={
          <Empty title="No client acts for you">
            <p>Once you let a client use a server in your name, it is here.</p>
          </Empty>
        }
      >
        {(all) => (
          <ul class="events">
            {all.map((grant) => (
              <li key={grant.id}>
                <span class="grow">
                  <strong>{grant.client_name}</strong> on <code>{grant.slug}</code>
                  <br />
                  <span class="soft small">
                    {scopesInWords(grant.scope)} · since <Time at={grant.created_at} />
                    {grant.last_refreshed_at !== undefined && (
                      <>
                        {' '}
                        · last renewed <Time at={grant.last_refreshed_at} />
                      </>
                    )}
                    {grant.recorded_until !== undefined && (
                      <>
                        <br />
                        The owner of this server keeps a record of your calls, with what is sent and
                        answered. It is gone <Time at={grant.recorded_until} />.
                      </>
                    )}
                  </span>
                </span>
                <Confirm
                  label="Revoke"
                  of={`${grant.client_name} on ${grant.slug}`}
                  title={`Revoke ${grant.client_name} on ${grant.slug}?`}
                  busy={ending.running}
                  onConfirm={() => void ending.run(grant.id)}
                >
                  Its tokens stop working at once. To use the server again it has to ask you on a
                  consent page.
                </Confirm>
              </li>
            ))}
          </ul>
        )}
      </Show>
      <Sessions email={account?.email} />
      <AccountTokens />
      <PersonalTokens />
      <Trusts />
      <AccountData />
    </>
  );
};

const Sessions = ({ email }: { readonly email: string | undefined }) => {
  const sessions = useAnswer('sessions', 'GET /sessions');
  const leaving = useAction(signOut);
  const ending = useAction(async (id: string) => {
    await call('DELETE /sessions/{id}', { path: { id } });
    sessions.reload();
  });
  return (
    <>
      <h2>Where you are signed in</h2>
      <p class="soft">As {email}. A revoked session has to sign in again.</p>
      <ProblemNote problem={leaving.problem ?? ending.problem} />
      <Show loaded={sessions}>
        {({ items }) => (
          <ul class="events">
            {items.map(({ id, kind, current, user_agent: agent, created_at: since }) => (
              <li key={id}>
                <span class="grow">
                  <strong>{kind === 'browser' ? 'A browser' : 'A program'}</strong>{' '}
                  {current && <Badge kind="good">this one</Badge>}
                  <br />
                  <span class="soft small">
                    {agent !== undefined && (
                      <>
                        <span title={agent}>{browserOf(agent)}</span> ·{' '}
                      </>
                    )}
                    since <Time at={since} />
                  </span>
                </span>
                {current ? (
                  <Button action={leaving}>Sign out</Button>
                ) : (
                  <Button
                    kind="danger"
                    busy={ending.running}
                    aria-label={`Revoke the session of ${agent ?? kind}`}
                    onClick={() => void ending.run(id)}
                  >
                    Revoke
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Show>
    </>
  );
};

type Token = ItemOf<'GET /deployments/{slug}/tokens'> & {
  readonly slug: string;
  /** Tab of the server where the token is made and revoked. */
  readonly place: 'access' | 'connect';
};

/** Servers whose tokens are read at the same time. */
const AT_ONCE = 10;

/** Tab where tokens of a server are made, by the server's auth method. A public server needs none. */
const TOKEN_PLACES = { jwt: 'access', oauth: 'connect', none: undefined } as const;

const AccountTokens = () => {
  const tokens = useLoad<readonly Token[]>('own-tokens', async (show) => {
    const servers = await readAll('GET /deployments', {});
    const asked = servers.flatMap(({ slug, mcp_auth_method: method }) => {
      const place = TOKEN_PLACES[method];
      return place === undefined ? [] : [{ slug, place }];
    });
    const valid: Token[] = [];
    for (let from = 0; from < asked.length; from += AT_ONCE) {
      const some = await Promise.all(asked.slice(from, from + AT_ONCE).map(validTokensOf));
      valid.push(...some.flat());
      // An empty list would be shown as "None".
      if (valid.length > 0) show([...valid]);
    }
    return valid;
  });
  return (
    <>
      <h2>API tokens</h2>
      <p class="soft">
        Those that open your servers now. The name of a server leads to where its tokens are made
        and revoked.
      </p>
      <Show loaded={tokens} none={<p class="soft">None.</p>}>
        {(all) => (
          <ul class="events">
            {all.map(({ jti, slug, place, name, expires_at: end }) => (
              <li key={jti}>
                <span class="grow">
                  <strong>{name ?? 'without a name'}</strong> for{' '}
                  <Link to={`/servers/${slug}/${place}`}>{slug}</Link>
                  <br />
                  <span class="soft small">
                    ends <Time at={end} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </>
  );
};

const validTokensOf = async (server: Pick<Token, 'slug' | 'place'>): Promise<readonly Token[]> => {
  const { slug } = server;
  const tokens = await readAll('GET /deployments/{slug}/tokens', { path: { slug } });
  const now = new Date().toISOString();
  return tokens
    .filter(({ revoked, expires_at: end }) => !revoked && end > now)
    .map((token) => ({ ...token, ...server }));
};
