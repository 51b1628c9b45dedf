import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { AnswerOf, ItemOf } from '../../api/operation.ts';
import { Button, Link } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { Form, Select } from '../../kit/form.tsx';
import { Badge, Message, ProblemNote, Show } from '../../kit/show.tsx';
import { Facts } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { count, numbered } from '../../kit/words.ts';
import type { PageProps } from '../../page.ts';
import { useAction } from '../../state/action.ts';
import { forgetShown, type Loaded, useAnswer, useList } from '../../state/load.ts';
import { adminLine, Head } from './head.tsx';

type Account = AnswerOf<'GET /operator/accounts/{id}'>;

export const Page = ({ params: { id = '' } }: PageProps) => {
  const account = useAnswer(`account:${id}`, 'GET /operator/accounts/{id}', { path: { id } });
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <Link to="/operator/accounts">Accounts</Link> <span aria-hidden="true">/</span>{' '}
        {account.value?.email}
      </nav>
      <Head title={account.value?.email ?? 'Account'} />
      <Show loaded={account}>
        {(shown) => (
          <>
            <Facts
              of={{
                Id: <code>{shown.id}</code>,
                Name: shown.name,
                Plan: shown.plan,
                Requests: `${used(shown.usage.hour)} this hour, ${used(shown.usage.month)} this month`,
                Since: <Time at={shown.created_at} />,
                Operator: shown.operator && 'yes',
              }}
            />
            <Plan key={shown.plan} account={shown} loaded={account} />
            <Servers ownerId={shown.id} />
            <End account={shown} />
          </>
        )}
      </Show>
    </>
  );
};

interface Of {
  readonly account: Account;
}

const used = (window: { readonly used: number; readonly limit: number }): string =>
  `${numbered(window.used)} of ${numbered(window.limit)}`;

const Plan = ({ account, loaded }: Of & { readonly loaded: Loaded<Account> }) => {
  const [plan, setPlan] = useState(account.plan);
  const saving = useAction(async () => {
    loaded.put(
      (await call('PATCH /operator/accounts/{id}', { path: { id: account.id }, body: { plan } }))
        .body,
    );
    forgetShown('accounts:');
  });
  return (
    <Form class="panel" onSubmit={() => saving.run()}>
      <h2>Plan</h2>
      <Select
        label="Plan of the account and its servers"
        hint="Tokens already issued keep the old plan for up to an hour."
        value={plan}
        onValue={setPlan}
        options={{ free: 'free', pro: 'pro' }}
      />
      <ProblemNote problem={saving.problem} />
      <Button
        kind="primary"
        submit
        busy={saving.running}
        disabled={plan === account.plan && !saving.problem}
      >
        Save
      </Button>
      <Command lines={adminLine(`plan ${quoted(account.email)} ${plan}`)} />
    </Form>
  );
};

const End = ({ account: { id, email, operator } }: Of) => {
  const [isEnded, setEnded] = useState(false);
  const ending = useAction(async () => {
    setEnded(false);
    await call('POST /operator/accounts/{id}/end', { path: { id } });
    setEnded(true);
  });
  return (
    <section class="panel">
      <h2>Revoke sessions and tokens</h2>
      <p class="soft">
        For an account that somebody else has broken into. Its servers go on: stop them too if
        others can read the mailbox.
      </p>
      <ProblemNote problem={ending.problem} />
      {isEnded && (
        <Message kind="good">
          It is signed out everywhere. Its owner signs in with their company, or asks for a new
          password: <code>npx --no-install hosted-mcp password reset {quoted(email)}</code>
        </Message>
      )}
      {operator ? (
        <p>It is the account of an operator, which ends on the command line alone.</p>
      ) : (
        <div class="buttons">
          <Confirm
            label="Revoke all"
            title="Revoke sessions, tokens, trusts and password?"
            typed={email}
            action={ending}
          >
            {email} is signed out everywhere, every client that acts for it has to ask again, and
            the password stops working. No machine that it trusts signs in any more. Its owner signs
            in with their company, or chooses a new one through a mailed link.
          </Confirm>
        </div>
      )}
      <Command lines={adminLine(`end-account ${quoted(email)}`)} />
    </section>
  );
};

type Server = ItemOf<'GET /operator/accounts/{id}/deployments'>;

const STATES = { active: 'good', paused: 'warn', stopped: 'bad' } as const;

const Servers = ({ ownerId }: { readonly ownerId: string }) => {
  const servers = useList(`servers-of:${ownerId}`, 'GET /operator/accounts/{id}/deployments', {
    path: { id: ownerId },
  });
  const put = (changed: Server) =>
    servers.put((servers.value ?? []).map((one) => (one.slug === changed.slug ? changed : one)));
  return (
    <section class="panel">
      <h2>Servers</h2>
      <Show loaded={servers} none={<p class="soft">It has published none.</p>}>
        {(listed) => (
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
        )}
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
        <Button aria-label={`Release ${slug}`} action={releasing}>
          Release
        </Button>
      ) : (
        <Confirm label="Stop" of={slug} title={`Stop ${slug}?`} action={stopping}>
          It refuses all requests, on every instance within 15 seconds, and its owner cannot resume
          it until it is released.
        </Confirm>
      )}
    </li>
  );
};
