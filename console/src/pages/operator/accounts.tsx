import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { findingsAt } from '../../api/problem.ts';
import { Button, Link } from '../../kit/button.tsx';
import { CodeBlock } from '../../kit/copy.tsx';
import { Form, TextField } from '../../kit/form.tsx';
import { Badge, Empty, ProblemNote, Show } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../state/action.ts';
import { useLoad } from '../../state/load.ts';
import { useQuery } from '../../state/location.ts';
import { adminLine, Head } from './head.tsx';

type Listed = AnswerOf<'GET /operator/accounts'>;

const AT_ONCE = 50;

export const Page = () => {
  const [prefix, setPrefix] = useQuery('prefix');
  const [typed, setTyped] = useState(prefix);
  const found = useLoad<Listed>(`accounts:${prefix}`, () => page(prefix));
  const goingOn = useAction(async ({ items, next_cursor: cursor }: Listed) => {
    const next = await page(prefix, cursor);
    found.put({ ...next, items: [...items, ...next.items] });
  });
  const faults = findingsAt(found.problem, '/prefix');
  return (
    <>
      <Head title="Accounts" />
      <Form
        role="search"
        class="find"
        onSubmit={() => {
          const wanted = typed.trim();
          if (wanted === prefix) found.reload();
          else setPrefix(wanted);
        }}
      >
        <TextField
          label="E-mail addresses that begin with"
          hint="Empty: all of them. New accounts may come a moment later."
          maxLength={254}
          inputMode="email"
          value={typed}
          faults={faults}
          onValue={setTyped}
        />
        <Button submit kind="primary" busy={found.loading}>
          Find
        </Button>
      </Form>
      {faults.length === 0 && (
        <Show loaded={found}>
          {(listed) =>
            listed.items.length === 0 ? (
              <Empty title="No account begins so">
                <p>Look for fewer characters. Accounts are made on the command line:</p>
                <CodeBlock text={adminLine('account EMAIL --mail')} label="command line" />
              </Empty>
            ) : (
              <>
                <ul class="cards">
                  {listed.items.map((account) => (
                    <Entry key={account.id} account={account} />
                  ))}
                </ul>
                <ProblemNote problem={goingOn.problem} />
                {listed.next_cursor !== undefined && (
                  <div class="buttons">
                    <Button busy={goingOn.running} onClick={() => void goingOn.run(listed)}>
                      Show more
                    </Button>
                  </div>
                )}
              </>
            )
          }
        </Show>
      )}
    </>
  );
};

const page = async (prefix: string, cursor?: string): Promise<Listed> =>
  (await call('GET /operator/accounts', { query: { prefix, cursor, limit: AT_ONCE } })).body;

const Entry = ({ account }: { readonly account: Listed['items'][number] }) => (
  <li>
    <Link to={`/operator/accounts/${account.id}`} class="card">
      <span class="card-name">{account.email}</span>
      {account.operator ? <Badge kind="warn">operator</Badge> : <span />}
      <span class="soft">
        plan {account.plan} · since <Time at={account.created_at} />
      </span>
    </Link>
  </li>
);
