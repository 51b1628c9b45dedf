import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { Select } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Link } from '../../kit/link.tsx';
import { Note, ProblemNote } from '../../kit/notice.tsx';
import { Show } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { numbered } from '../../kit/words.ts';
import type { PageProps } from '../../page.ts';
import { useAction } from '../../state/action.ts';
import { forgetShown, type Loaded, useLoad } from '../../state/load.ts';
import { adminLine, Head } from './head.tsx';
import { Servers } from './servers.tsx';

type Account = AnswerOf<'GET /operator/accounts/{id}'>;

/** One account: what an operator may know of it and do about it. */
export const Page = ({ params: { id = '' } }: PageProps) => {
  const account = useLoad<Account>(
    `account:${id}`,
    async () => (await call('GET /operator/accounts/{id}', { path: { id } })).body,
  );
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
            <Facts account={shown} />
            <Plan key={shown.plan} account={shown} loaded={account} />
            <Servers ownerId={shown.id} />
            <End account={shown} />
          </>
        )}
      </Show>
    </>
  );
};

const Facts = ({ account: { id, name, plan, operator, usage, created_at: since } }: Of) => (
  <dl class="facts">
    <dt>Id</dt>
    <dd>
      <code>{id}</code>
    </dd>
    {name !== undefined && (
      <>
        <dt>Name</dt>
        <dd>{name}</dd>
      </>
    )}
    <dt>Plan</dt>
    <dd>{plan}</dd>
    <dt>Requests</dt>
    <dd>
      {used(usage.hour)} this hour, {used(usage.month)} this month
    </dd>
    <dt>Since</dt>
    <dd>
      <Time at={since} />
    </dd>
    {operator && (
      <>
        <dt>Operator</dt>
        <dd>yes</dd>
      </>
    )}
  </dl>
);

interface Of {
  readonly account: Account;
}

const used = (window: { readonly used: number; readonly limit: number }): string =>
  `${numbered(window.used)} of ${numbered(window.limit)}`;

const PLANS = [
  ['free', 'free'],
  ['pro', 'pro'],
] as const;

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
        options={PLANS}
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
        <Note kind="good">
          <p>
            It is signed out everywhere. Next, its owner asks for a new password:{' '}
            <code>npx hosted-mcp password reset {quoted(email)}</code>
          </p>
        </Note>
      )}
      {operator ? (
        <p>It is the account of an operator, which ends on the command line alone.</p>
      ) : (
        <div class="buttons">
          <Confirm
            action="Revoke all"
            title="Revoke sessions, tokens and password?"
            typed={email}
            busy={ending.running}
            onConfirm={() => void ending.run()}
          >
            {email} is signed out everywhere, every client that acts for it has to ask again, and
            the password stops working: a new one is chosen through a mailed link.
          </Confirm>
        </div>
      )}
      <Command lines={adminLine(`end-account ${quoted(email)}`)} />
    </section>
  );
};
