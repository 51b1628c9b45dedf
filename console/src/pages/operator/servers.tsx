import { call } from '../../api/call.ts';
import { readAll } from '../../api/pages-of.ts';
import type { ItemOf } from '../../api/operation.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Command } from '../../kit/copy.tsx';
import { ProblemNote } from '../../kit/notice.tsx';
import { Badge, Show } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { count } from '../../kit/words.ts';
import { useAction } from '../../state/action.ts';
import { useLoad } from '../../state/load.ts';
import { adminLine } from './head.tsx';

type Server = ItemOf<'GET /operator/accounts/{id}/deployments'>;

const STATES = { active: 'good', paused: 'warn', stopped: 'bad' } as const;

/** The servers of an account, each to be stopped and released. */
export const Servers = ({ ownerId }: { readonly ownerId: string }) => {
  const servers = useLoad<readonly Server[]>(`servers-of:${ownerId}`, (show) =>
    readAll('GET /operator/accounts/{id}/deployments', { path: { id: ownerId } }, { come: show }),
  );
  const put = (changed: Server) =>
    servers.put((servers.value ?? []).map((one) => (one.slug === changed.slug ? changed : one)));
  return (
    <section class="panel">
      <h2>Servers</h2>
      <Show loaded={servers}>
        {(listed) =>
          listed.length === 0 ? (
            <p class="soft">It has published none.</p>
          ) : (
            <>
              <ul class="plain entries">
                {listed.map((server) => (
                  <Entry key={server.slug} server={server} put={put} />
                ))}
              </ul>
              <Command
                lines={listed.map(({ slug, status }) =>
                  adminLine(`${status === 'stopped' ? 'release' : 'stop'} ${slug}`),
                )}
              />
            </>
          )
        }
      </Show>
    </section>
  );
};

const Entry = ({
  server: { slug, name, status, tool_count: tools, updated_at: changed },
  put,
}: {
  readonly server: Server;
  readonly put: (changed: Server) => void;
}) => {
  const path = { slug };
  const stopping = useAction(async () =>
    put((await call('POST /operator/deployments/{slug}/stop', { path })).body),
  );
  const releasing = useAction(async () =>
    put((await call('POST /operator/deployments/{slug}/release', { path })).body),
  );
  return (
    <li>
      <span class="grow">
        <strong>{name}</strong> <Badge kind={STATES[status]}>{status}</Badge>
        <br />
        <span class="soft small">
          {slug} · {count(tools, 'tool')} · changed <Time at={changed} />
        </span>
        <ProblemNote problem={stopping.problem ?? releasing.problem} />
      </span>
      {status === 'stopped' ? (
        <Button
          aria-label={`Release ${slug}`}
          busy={releasing.running}
          onClick={() => void releasing.run()}
        >
          Release
        </Button>
      ) : (
        <Confirm
          action="Stop"
          of={slug}
          title={`Stop ${slug}?`}
          busy={stopping.running}
          onConfirm={() => void stopping.run()}
        >
          It refuses all requests, on every instance within 15 seconds, and its owner cannot resume
          it until it is released.
        </Confirm>
      )}
    </li>
  );
};
