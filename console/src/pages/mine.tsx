import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ItemOf, readAll } from '../api/pages-of.ts';
import { signOut } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ProblemNote } from '../kit/notice.tsx';
import { Empty, Show } from '../kit/show.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../state/action.ts';
import { useLoad } from '../state/load.ts';
import { useAccount } from '../state/session.ts';

type Grant = ItemOf<'listOwnGrants'>;

/** What acts in the name of whoever is signed in, on servers of anybody: seen and ended here. */
export const Page = () => {
  const account = useAccount();
  const grants = useLoad<readonly Grant[]>('own-grants', (show) =>
    readAll('listOwnGrants', {}, { come: show }),
  );
  const [ending, setEnding] = useState<Grant>();
  const leaving = useAction(signOut);
  return (
    <>
      <div class="page-head">
        <h1>Mine</h1>
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
      <h2>This browser</h2>
      <p>
        Signed in as <strong>{account?.email}</strong>. Signing out ends this session of the browser
        and all that was opened with it.
      </p>
      <Button busy={leaving.running} onClick={() => void leaving.run()}>
        Sign out
      </Button>
      <ProblemNote problem={leaving.problem} />
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
    await call('endOwnGrant', { path: { id: grant.id } });
    onEnded();
  });
  return (
    <Dialog title={`End ${grant.client_name} on ${grant.slug}?`} onClose={onClose}>
      <p>
        Its tokens are good for nothing at once. To use the server again it has to ask you on a
        consent page.
      </p>
      <ProblemNote problem={ending.problem} />
      <div class="row">
        <Button kind="danger" busy={ending.running} onClick={() => void ending.run()}>
          End it
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
};
