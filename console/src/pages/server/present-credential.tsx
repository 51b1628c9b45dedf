import { call } from '../../api/call.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Note, ProblemNote } from '../../kit/notice.tsx';
import { Show } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { count } from '../../kit/words.ts';
import { useAction } from '../../state/action.ts';
import { useLoad } from '../../state/load.ts';
import { useServer } from './frame.tsx';

const TYPES = { bearer: 'Bearer token', api_key: 'API key', basic: 'User and password' } as const;

/** Everything of the credential but its value. */
export const PresentCredential = () => {
  const { server, etag, reload } = useServer();
  const { slug } = server;
  const credential = useLoad(
    `credential:${slug}:${etag}`,
    async () => (await call('GET /deployments/{slug}/credential', { path: { slug } })).body,
  );
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/credential', { path: { slug } });
    reload();
  });
  return (
    <Show loaded={credential}>
      {({ type, name, in: place, origins, set_at: setAt, refused }) => (
        <>
          {refused && (
            <Note kind="bad">
              <p>
                <strong>The API refuses it.</strong> Since <Time at={refused.since} />{' '}
                {count(refused.calls, 'call')} got HTTP {refused.status}, and none was let in. It
                may have ended, or lack a right: set another one below.
              </p>
            </Note>
          )}
          <dl class="facts">
            <dt>Type</dt>
            <dd>{TYPES[type]}</dd>
            {name !== undefined && (
              <>
                <dt>Sent as</dt>
                <dd>
                  <code>{name}</code> in {place === 'query' ? 'the query' : `a ${place}`}
                </dd>
              </>
            )}
            <dt>Sent to</dt>
            <dd>
              {origins.map((origin) => (
                <div key={origin}>
                  <code>{origin}</code>
                </div>
              ))}
            </dd>
            <dt>Set</dt>
            <dd>
              <Time at={setAt} />
            </dd>
          </dl>
          <ProblemNote problem={removing.problem} />
          <Confirm
            action="Remove it"
            title="Remove the credential?"
            busy={removing.running}
            onConfirm={() => void removing.run()}
          >
            Calls go out without one from then on, and an API that wants one refuses them.
          </Confirm>
        </>
      )}
    </Show>
  );
};
