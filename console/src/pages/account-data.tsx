import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf, ItemOf } from '../api/operation.ts';
import { findingsAt } from '../api/problem.ts';
import { accountChanged, leaveForGood } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { Command, quoted } from '../kit/copy.tsx';
import { Form, SaveButtons, TextField } from '../kit/form.tsx';
import { Message, ProblemNote } from '../kit/show.tsx';
import { saveAs } from '../kit/save-as.ts';
import { count } from '../kit/words.ts';
import { useAction } from '../state/action.ts';
import { useAccount, useCompany } from '../state/session.ts';
import { useList } from '../state/load.ts';

export const AccountData = () => {
  const account = useAccount();
  const company = useCompany();
  if (!account) return null;
  return (
    <>
      <Name name={account.name ?? ''} />
      {company ? <WithoutPassword name={company.name} /> : <Password email={account.email} />}
      <Export />
      <Remove email={account.email} />
    </>
  );
};

const Name = ({ name }: { readonly name: string }) => {
  const [draft, setDraft] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const typed = draft ?? name;
  const saving = useAction(async () => {
    const { body } = await call('PATCH /account', { body: { name: typed } });
    accountChanged(body.name === undefined ? {} : { name: body.name });
    setDraft(undefined);
    setSaved(true);
  });
  return (
    <>
      <h2>Name</h2>
      <p class="soft">Others see it beside what you did, where they would see your address.</p>
      <Form onSubmit={saving.run}>
        <TextField
          label="Your name"
          value={typed}
          maxLength={100}
          autocomplete="name"
          onValue={(value) => {
            setDraft(value);
            setSaved(false);
          }}
          faults={findingsAt(saving.problem, '/name')}
        />
        <ProblemNote problem={saving.problem} shownAt={['/name']} />
        <SaveButtons
          saving={saving}
          isChanged={typed !== name}
          onUndo={() => setDraft(undefined)}
        />
      </Form>
      <div aria-live="polite">
        {isSaved && (
          <Message kind="good">
            {name === '' ? 'You have no name here now.' : 'Your name is saved.'}
          </Message>
        )}
      </div>
      <Command lines={`npx --no-install hosted-mcp account set --name ${quoted(typed)}`} />
    </>
  );
};

/** A reset mail would be of no use: the new password is refused, or opens no more than the company's sign-in. */
const WithoutPassword = ({ name }: { readonly name: string }) => (
  <>
    <h2>Sign-in</h2>
    <p class="soft">You sign in with {name}, and need no password here.</p>
  </>
);

const Password = ({ email }: { readonly email: string }) => {
  const [isSent, setSent] = useState(false);
  const asking = useAction(async () => {
    setSent(false);
    await call('POST /accounts/password-reset', { body: { email } });
    setSent(true);
  });
  return (
    <>
      <h2>Password</h2>
      <p class="soft">
        A link to choose another goes to {email}. So nobody who finds your browser open can take the
        account from you. The new password ends all sessions, and all tokens that you made.
      </p>
      <ProblemNote problem={asking.problem} onRetry={() => void asking.run()} />
      {isSent && (
        <Message kind="good">The mail is on its way. Its link works once, for an hour.</Message>
      )}
      <Button action={asking}>Change the password</Button>
      <Command lines={`npx --no-install hosted-mcp password reset ${quoted(email)}`} />
    </>
  );
};

const Export = () => {
  const exporting = useAction(async () => {
    const [answers, sessions] = await Promise.all([allAnswers(), call('GET /sessions')]);
    const items = [
      ...(await Promise.all(answers.map(withFile))),
      { path: '/sessions', body: { items: sessions.body.items } },
    ];
    const text = JSON.stringify({ service: `${location.origin}/v1`, items }, null, 2);
    saveAs('hosted-mcp-account.json', new Blob([text], { type: 'application/json' }));
  });
  return (
    <>
      <h2>Your data</h2>
      <p class="soft">
        All that this service stores of you and of what you made, as one file: servers with their
        descriptions, resources and prompts, calls, sessions, clients. No secret is in it.
      </p>
      <ProblemNote problem={exporting.problem} onRetry={() => void exporting.run()} />
      <Button action={exporting}>{exporting.running ? 'Collecting it…' : 'Download it'}</Button>
      <Command lines="npx --no-install hosted-mcp account export > me.json" />
    </>
  );
};

type Exported = AnswerOf<'GET /account/export'>['items'];

const allAnswers = async (): Promise<Exported> => {
  const answers: Exported[number][] = [];
  let cursor: string | undefined;
  do {
    const { body } = await call('GET /account/export', { query: { cursor } });
    answers.push(...body.items);
    cursor = body.next_cursor;
  } while (cursor !== undefined);
  return answers;
};

const withFile = async (answer: Readonly<Record<string, unknown>>): Promise<object> => {
  const { content, ...rest } = answer;
  if (typeof content !== 'string') return answer;
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return { ...rest, text: await new Response(unpacked).text() };
};

const Remove = ({ email }: { readonly email: string }) => {
  const servers = useList('servers', 'GET /deployments', {});
  const removing = useAction(async () => {
    await call('DELETE /account');
    await leaveForGood();
  });
  return (
    <>
      <h2>Remove the account</h2>
      <p class="soft">
        All your servers go with it, with their versions, credentials and tokens. Every connected
        client stops working at once. Nothing brings them back.
      </p>
      <ProblemNote problem={removing.problem} onRetry={() => void removing.run()} />
      <Confirm
        label="Remove the account"
        title="Remove your account and all it owns?"
        typed={email}
        action={removing}
      >
        {goes(servers.value)} You are signed out everywhere, and clients lose the access that you
        gave them. Download your data first if you may want it.
      </Confirm>
      <Command lines="npx --no-install hosted-mcp account rm" />
    </>
  );
};

const NAMED = 10;

const goes = (servers: readonly ItemOf<'GET /deployments'>[] | undefined): string => {
  if (!servers) return 'All your servers go with it.';
  if (servers.length === 0) return 'You have no servers that would go with it.';
  const rest = servers.length - NAMED;
  const named = [
    ...servers.slice(0, NAMED).map(({ name }) => name),
    ...(rest > 0 ? [`${rest} more`] : []),
  ];
  return `${count(servers.length, 'server')} of yours will be gone: ${named.join(', ')}.`;
};
