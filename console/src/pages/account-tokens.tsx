import { readAll } from '../api/pages-of.ts';
import type { ItemOf } from '../api/operation.ts';
import { Link } from '../kit/link.tsx';
import { Show } from '../kit/show.tsx';
import { Time } from '../kit/time.tsx';
import { useLoad } from '../state/load.ts';

type Token = ItemOf<'GET /deployments/{slug}/tokens'> & { readonly slug: string };

/** Servers that are asked for their tokens: more would make this page wait. */
const MOST_SERVERS = 20;

/** API tokens that open servers of whoever is signed in: where each is made, and ended. */
export const AccountTokens = () => {
  const tokens = useLoad<readonly Token[]>('own-tokens', async () => {
    const servers = await readAll('GET /deployments', {});
    const asked = servers
      .filter(({ mcp_auth_method: method }) => method === 'jwt')
      .slice(0, MOST_SERVERS)
      .map(async ({ slug }) =>
        (await readAll('GET /deployments/{slug}/tokens', { path: { slug } })).map((token) => ({
          ...token,
          slug,
        })),
      );
    const now = new Date().toISOString();
    return (await Promise.all(asked))
      .flat()
      .filter(({ revoked, expires_at: end }) => !revoked && end > now);
  });
  return (
    <>
      <h2>API tokens</h2>
      <p class="soft">
        Those that open your servers now. Each is made and revoked on the Access page of its server.
      </p>
      <Show loaded={tokens}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">None.</p>
          ) : (
            <ul class="events">
              {all.map(({ jti, slug, name, expires_at: end }) => (
                <li key={jti}>
                  <span class="grow">
                    <strong>{name ?? 'without a name'}</strong> for{' '}
                    <Link to={`/servers/${slug}/access`}>{slug}</Link>
                    <br />
                    <span class="soft small">
                      ends <Time at={end} />
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </>
  );
};
