import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Form, TextField } from '../kit/text-form.tsx';
import { Message, ProblemNote, Skeleton } from '../kit/show.tsx';
import { useAction } from '../state/action.ts';
import { ROOT, usePlace } from '../state/location.ts';

const PAGES = '/v1/mcp-oauth-server';

/** The sign-in page keeps the address, and so shows the wanted page afterwards. */
export const SignInPage = ({ at }: { readonly at: string | undefined }) => {
  const { path, query } = usePlace();
  const page = at === undefined ? undefined : withReturn('/sign-in', path);
  // A person who has just signed out is not led back in.
  const isLeaving = query.get('removed') !== null || query.get('signed_out') !== null;
  useEffect(() => {
    document.title = 'Sign in · Hosted MCP';
    if (page !== undefined && !isLeaving) location.replace(page);
  }, []);
  if (page !== undefined && !isLeaving) return <Skeleton />;
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
      {page === undefined ? (
        <>
          <SignInForm email="" />
          <ul class="more">
            <li>
              New here? <a href={withReturn('/signup', path)}>Create an account</a>
            </li>
            <li>
              <a href={withReturn('/reset', path)}>Forgot your password?</a>
            </li>
          </ul>
        </>
      ) : (
        <p>
          <a class="button primary" href={`${page}&another=1`}>
            Sign in
          </a>
        </p>
      )}
    </div>
  );
};

export const SignInForm = ({ email: known }: { readonly email: string }) => {
  const [email, setEmail] = useState(known);
  // The password is kept in this form's state and nowhere else.
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
      {entering.problem?.signInAt !== undefined && (
        <p>
          <a href={new URL(entering.problem.signInAt).pathname}>Sign in with your company</a>
        </p>
      )}
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

const withReturn = (page: string, path: string): string =>
  `${PAGES}${page}?return_to=${encodeURIComponent(ROOT + path)}`;
