import { call } from '../../../api/call.ts';
import type { ItemOf } from '../../../api/operation.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { Badge, ProblemNote, Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { useAction } from '../../../state/action.ts';
import { useList } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';

export const useTokens = (slug: string) =>
  useList(`tokens:${slug}`, 'GET /deployments/{slug}/tokens', { path: { slug } });

export const TokenList = ({ tokens }: { readonly tokens: ReturnType<typeof useTokens> }) => {
  const { slug } = useServer();
  const ending = useAction(async (jti: string) => {
    await call('DELETE /deployments/{slug}/tokens/{jti}', { path: { slug, jti } });
    tokens.reload();
  });
  return (
    <>
      <ProblemNote problem={ending.problem} />
      <Show loaded={tokens}>
        {(all) => (
          <ul class="plain entries">
            {all.map((token) => (
              <li key={token.jti}>
                <span class="grow">
                  <strong>{token.name ?? 'without a name'}</strong> <TokenState token={token} />
                  <span class="means">
                    created <Time at={token.created_at} />, {token.scope}
                  </span>
                </span>
                {!token.revoked && !isPast(token.expires_at) && (
                  <Confirm
                    label="Revoke"
                    title="Revoke this token?"
                    quiet
                    busy={ending.running}
                    onConfirm={() => void ending.run(token.jti)}
                  >
                    Calls with it are refused at once. This cannot be undone.
                  </Confirm>
                )}
              </li>
            ))}
          </ul>
        )}
      </Show>
    </>
  );
};

const isPast = (iso: string): boolean => iso < new Date().toISOString();

const TokenState = ({ token }: { readonly token: ItemOf<'GET /deployments/{slug}/tokens'> }) =>
  token.revoked ? (
    <Badge kind="bad">ended</Badge>
  ) : isPast(token.expires_at) ? (
    <Badge>expired</Badge>
  ) : (
    <Badge kind="good">
      ends <Time at={token.expires_at} />
    </Badge>
  );
