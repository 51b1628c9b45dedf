import { call } from '../../../api/call.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { scopesInWords } from '../../../kit/scopes.ts';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { useAction } from '../../../state/action.ts';
import { useList } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';

export const Grants = () => {
  const { slug } = useServer();
  const grants = useList(`grants:${slug}`, 'GET /deployments/{slug}/grants', { path: { slug } });
  const ending = useAction(async (id: string) => {
    await call('DELETE /deployments/{slug}/grants/{id}', { path: { slug, id } });
    grants.reload();
  });
  return (
    <section class="panel">
      <h2>Connected clients</h2>
      <ProblemNote problem={ending.problem} />
      <Show
        loaded={grants}
        none={
          <p class="soft">
            Nobody yet. It appears here once somebody connects a client and agrees.
          </p>
        }
      >
        {(all) => (
          <Table
            label="Connected clients"
            rows={all}
            keyOf={({ id }) => id}
            columns={[
              ['Person', ({ email }) => email],
              [
                'Client',
                (grant) => (
                  <>
                    {grant.client_name}
                    <span class="means">{scopesInWords(grant.scope)}</span>
                  </>
                ),
              ],
              ['Since', ({ created_at: since }) => <Time at={since} />],
              [
                'Last renewed',
                ({ last_refreshed_at: at }) =>
                  at === undefined ? <span class="soft">not yet</span> : <Time at={at} />,
              ],
              [
                'Revoke',
                (grant) => (
                  <Confirm
                    label="Revoke"
                    title="Revoke this access?"
                    quiet
                    busy={ending.running}
                    onConfirm={() => void ending.run(grant.id)}
                  >
                    {grant.client_name} of {grant.email} may not call any more, at once on every
                    connection. They can let it in again as long as they may call the server.
                  </Confirm>
                ),
              ],
            ]}
          />
        )}
      </Show>
    </section>
  );
};
