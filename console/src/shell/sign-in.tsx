import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn, signOut } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form, TextField } from '../kit/text-form.tsx';
import { Message, ProblemNote } from '../kit/show.tsx';
import { useAction } from '../state/action.ts';
import { ROOT, usePlace } from '../state/location.ts';

const PAGES = '/v1/mcp-oauth-server';

/** The sign-in page keeps the address, and so shows the wanted page afterwards. */
export const SignInPage = () => {
  const { query } = usePlace();
  useEffect(() => {
    document.title = 'Sign in · Hosted MCP';
  }, []);
  return (
    <div class="door">
      {query.get('removed') !== null && (
        <Message kind="good">Your account is removed, with all that it owned.</Message>
      )}
      <h1>Sign in</h1>
      <p class="lead">
        Hosted MCP turns the OpenAPI description of an API into a server that assistants such as
        Claude can use.
      </p>
      <SignInForm email="" />
      <ul class="more">
        <li>
          New here? <a href={withReturn('/signup')}>Create an account</a>
        </li>
        <li>
          <a href={withReturn('/reset')}>Forgot your password?</a>
        </li>
      </ul>
    </div>
  );
};

/** Asks for a new sign-in over the page, of which nothing is lost. */
export const SignInAgain = ({ email }: { readonly email: string }) => {
  const leaving = useAction(signOut);
  return (
    <Dialog title="Your session has ended">
      <p>Sign in again, and what you were doing goes on. Everything you typed is still here.</p>
      <SignInForm email={email} />
      <ProblemNote problem={leaving.problem} />
      <p class="small">
        Not you?{' '}
        <Button kind="quiet" onClick={() => void leaving.run()}>
          Leave and forget what was typed
        </Button>
      </p>
    </Dialog>
  );
};

const SignInForm = ({ email: known }: { readonly email: string }) => {
  const [email, setEmail] = useState(known);
  // Kept in this form's state alone.
  const [password, setPassword] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const entering = useAction(async () => {
    await signIn(email, password);
    setPassword('');
  });
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:placeholder-shown, input')?.focus();
    if (known !== '') form.current?.querySelector<HTMLInputElement>('[type=password]')?.focus();
  }, []);
  return (
    <Form ref={form} onSubmit={() => entering.run()}>
      <ProblemNote problem={entering.problem} />
      <TextField
        label="E-mail address"
        type="email"
        autocomplete="username"
        required
        value={email}
        onValue={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      <Button kind="primary" submit action={entering}>
        {entering.running ? 'Signing in…' : 'Sign in'}
      </Button>
    </Form>
  );
};

const withReturn = (page: string): string => {
  const { path } = usePlace();
  return `${PAGES}${page}?return_to=${encodeURIComponent(ROOT + path)}`;
};
