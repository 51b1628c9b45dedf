import { call } from '../../../api/call.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { useAction } from '../../../state/action.ts';
import { useServer } from '../frame.tsx';
import { useList } from '../../../state/load.ts';

export const Grants = () => {
  const { slug } = useServer().server;
  const grants = useList(`grants:${slug}`, 'GET /deployments/{slug}/grants', { path: { slug } });
  const ending = useAction(async (id: string) => {
    await call('DELETE /deployments/{slug}/grants/{id}', { path: { slug, id } });
    grants.reload();
  });
  return (
    <section class="panel">
      <h2>Who has let a client in</h2>
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
          <div class="table">
            <table>
              <thead>
                <tr>
                  <th scope="col">Person</th>
                  <th scope="col">Client</th>
                  <th scope="col">Since</th>
                  <th scope="col">Last renewed</th>
                  <th scope="col">
                    <span class="visually-hidden">Revoke</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((grant) => (
                  <tr key={grant.id}>
                    <td>{grant.email}</td>
                    <td>
                      {grant.client_name}
                      <span class="means">{grant.scope}</span>
                    </td>
                    <td>
                      <Time at={grant.created_at} />
                    </td>
                    <td>
                      {grant.last_refreshed_at === undefined ? (
                        <span class="soft">not yet</span>
                      ) : (
                        <Time at={grant.last_refreshed_at} />
                      )}
                    </td>
                    <td>
                      <Confirm
                        label="Revoke"
                        title="End this access?"
                        quiet
                        busy={ending.running}
                        onConfirm={() => void ending.run(grant.id)}
                      >
                        {grant.client_name} of {grant.email} may not call any more, at once on every
                        connection. They can let it in again as long as they may call the server.
                      </Confirm>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Show>
    </section>
  );
};
