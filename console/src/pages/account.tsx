import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf, ItemOf } from '../api/operation.ts';
import { readAll } from '../api/pages-of.ts';
import { signOut } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ProblemNote } from '../kit/notice.tsx';
import { Badge, Empty, Show } from '../kit/show.tsx';
import { Time } from '../kit/time.tsx';
import { browserOf } from '../kit/words.ts';
import { useAction } from '../state/action.ts';
import { useLoad } from '../state/load.ts';
import { useAccount } from '../state/session.ts';
import { AccountData } from './account-data.tsx';
import { AccountTokens } from './account-tokens.tsx';

type Grant = ItemOf<'GET /account/grants'>;

/** What acts in the name of whoever is signed in, on servers of anybody: seen and ended here. */
export const Page = () => {
  const account = useAccount();
  const grants = useLoad<readonly Grant[]>('own-grants', (show) =>
    readAll('GET /account/grants', {}, { come: show }),
  );
  const [ending, setEnding] = useState<Grant>();
  return (
    <>
      <div class="page-head">
        <h1>Account</h1>
      </div>
      <h2>Clients that act for you</h2>
      <p class="soft">
        You let each of them in on a consent page. Ended ones have to ask you again; nothing else is
        lost.
      </p>
      <Show loaded={grants}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No client acts for you">
              <p>Once you let a client use a server in your name, it is here.</p>
            </Empty>
          ) : (
            <ul class="events">
              {all.map((grant) => (
                <li key={grant.id}>
                  <span class="grow">
                    <strong>{grant.client_name}</strong> on <code>{grant.slug}</code>
                    <br />
                    <span class="soft small">
                      {grant.scope} · since <Time at={grant.created_at} />
                      {grant.last_refreshed_at !== undefined && (
                        <>
                          {' '}
                          · last renewed <Time at={grant.last_refreshed_at} />
                        </>
                      )}
                    </span>
                  </span>
                  <Button
                    kind="danger"
                    aria-label={`End ${grant.client_name} on ${grant.slug}`}
                    onClick={() => setEnding(grant)}
                  >
                    End
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      <Sessions email={account?.email} />
      <AccountTokens />
      <AccountData />
      {ending && (
        <End
          grant={ending}
          onClose={() => setEnding(undefined)}
          onEnded={() => {
            setEnding(undefined);
            grants.reload();
          }}
        />
      )}
    </>
  );
};

type Session = AnswerOf<'GET /sessions'>['items'][number];

const Sessions = ({ email }: { readonly email: string | undefined }) => {
  const sessions = useLoad<readonly Session[]>(
    'sessions',
    async () => (await call('GET /sessions')).body.items,
  );
  const leaving = useAction(signOut);
  const ending = useAction(async (id: string) => {
    await call('DELETE /sessions/{id}', { path: { id } });
    sessions.reload();
  });
  return (
    <>
      <h2>Where you are signed in</h2>
      <p class="soft">As {email}. An ended session has to sign in again.</p>
      <ProblemNote problem={leaving.problem ?? ending.problem} />
      <Show loaded={sessions}>
        {(all) => (
          <ul class="events">
            {all.map(({ id, kind, current, user_agent: agent, created_at: since }) => (
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
                  <Button busy={leaving.running} onClick={() => void leaving.run()}>
                    Sign out
                  </Button>
                ) : (
                  <Button
                    kind="danger"
                    busy={ending.running}
                    aria-label={`End the session of ${agent ?? kind}`}
                    onClick={() => void ending.run(id)}
                  >
                    End
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

const End = ({
  grant,
  onClose,
  onEnded,
}: {
  readonly grant: Grant;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}) => {
  const ending = useAction(async () => {
    await call('DELETE /account/grants/{id}', { path: { id: grant.id } });
    onEnded();
  });
  return (
    <Dialog title={`Revoke ${grant.client_name} on ${grant.slug}?`} onClose={onClose}>
      <p>
        Its tokens stop working at once. To use the server again it has to ask you on a consent
        page.
      </p>
      <ProblemNote problem={ending.problem} />
      <div class="row">
        <Button kind="danger" busy={ending.running} onClick={() => void ending.run()}>
          Revoke
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
