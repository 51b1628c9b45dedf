import { useEffect, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Link } from '../../../kit/link.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { Time } from '../../../kit/time.tsx';
import { duration } from '../../../kit/words.ts';
import { useLoad } from '../../../state/load.ts';
import { Result } from '../activity/one-call.tsx';
import { reasonOf } from '../activity/reasons.ts';
import { useServer } from '../frame.tsx';

type Call = AnswerOf<'GET /deployments/{slug}/calls'>['items'][number];

const ASK_MS = 4000;
const SHOWN = 5;
/** That are looked through for calls of clients. */
const READ = 25;

/** The latest calls as they come: whoever connects a client sees that it works. */
export const FirstCall = () => {
  const { slug } = useServer().server;
  const calls = useLoad<readonly Call[]>(
    `latest-calls:${slug}`,
    async () =>
      (await call('GET /deployments/{slug}/calls', { path: { slug }, query: { limit: READ } })).body
        .items,
  );
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => {
      // Nobody looks at a page that is hidden; it goes on when it is seen again.
      if (!document.hidden) calls.reload();
      setTurn((before) => before + 1);
    }, ASK_MS);
    return () => clearTimeout(timer);
  }, [turn]);
  // What the owner tries in this console says nothing of clients.
  const latest = (calls.value ?? []).filter(({ trial }) => trial !== true).slice(0, SHOWN);
  return (
    <section class="panel" aria-live="polite">
      <h2>{latest.length > 0 ? 'It is being called' : 'Waiting for the first call'}</h2>
      <ProblemNote problem={calls.problem} onRetry={calls.reload} />
      {latest.length === 0 ? (
        <p class="soft waiting">
          Connect a client and ask it something: the call appears here a few seconds later.
        </p>
      ) : (
        <ul class="plain entries">
          {latest.map((one) => (
            <li key={`${one.request_id}:${one.index}`}>
              <span class="grow">
                <code>{one.tool}</code> <Result one={one} />
                <span class="means">
                  <Time at={one.at} /> by {one.email ?? one.subject}, {duration(one.duration_ms)}
                  {one.outcome === 'refused' && one.reason && `. ${reasonOf(one.reason).text}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        <Link to={`/servers/${slug}/activity`}>All activity</Link>
      </p>
    </section>
  );
};
