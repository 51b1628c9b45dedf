import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Command, Copy, quoted } from '../../../kit/copy.tsx';
import { fieldsOf, Form, TextField } from '../../../kit/form.tsx';
import { Note, ProblemNote } from '../../../kit/show.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useServer } from '../frame.tsx';

export const Invite = () => {
  const { slug, server, reload } = useServer();
  const [draft, change, clear] = useDraft(`invite:${slug}`, { email: '' });
  const [invited, setInvited] = useState<AnswerOf<'POST /deployments/{slug}/invitations'>>();
  const inviting = useAction(async () => {
    setInvited(undefined);
    const body = { email: draft.email.trim() };
    const answered = await call('POST /deployments/{slug}/invitations', { path: { slug }, body });
    setInvited(answered.body);
    clear();
    if (answered.body.added) reload();
  });
  const field = fieldsOf(draft, change, inviting.problem);
  return (
    <section class="panel">
      <h2>Invite a person</h2>
      <p>
        They get a mail with one link. It leads to this server: through sign-up, if they have no
        account, or the sign-in of their company.
      </p>
      <Form class="find" onSubmit={() => inviting.run()}>
        <TextField label="E-mail address of the person" type="email" required {...field('email')} />
        <Button submit action={inviting}>
          Send invitation
        </Button>
      </Form>
      <ProblemNote problem={inviting.problem} shownAt={['/email']} />
      {invited && (
        <Note kind="good">
          <p>
            <strong>{invited.email} may use this server.</strong> A mail is on its way.
            {invited.accounts_by === 'operator' &&
              ' Without an account they need one from the operator of this service.'}
            {invited.accounts_by === 'company' && ' They sign in with their company.'}
          </p>
        </Note>
      )}
      <p class="small soft">Or send the link yourself:</p>
      <p class="address">
        <code>{server.docs_url}</code>
        <Copy text={server.docs_url} what="the link to send" />
      </p>
      <Command
        lines={`npx --no-install hosted-mcp invite ${slug} ${quoted(draft.email.trim() || 'EMAIL')}`}
      />
    </section>
  );
};
