import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Account,
  type Company,
  goOnWithout,
  lookForSignIn,
  signIn,
  signOut,
} from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form, TextField } from '../kit/text-form.tsx';
import { Message, ProblemNote, Skeleton } from '../kit/show.tsx';
import { useAction } from '../state/action.ts';
import { addressOf, ROOT, usePlace } from '../state/location.ts';

const PAGES = '/v1/mcp-oauth-server';

/** The sign-in page keeps the address, and so shows the wanted page afterwards. */
export const SignInPage = ({ at }: { readonly at: string | undefined }) => {
  const { path, query } = usePlace();
  const page = at === undefined ? undefined : withReturn('/sign-in', path);
  // Whoever has just left is not led back in.
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

/** Asks for a new sign-in over the page, of which nothing is lost. */
export const SignInAgain = ({ account, company, isTooOld }: Ended) => {
  const leaving = useAction(signOut);
  return (
    <Dialog
      title={isTooOld ? 'Sign in again' : 'Your session has ended'}
      onClose={isTooOld ? goOnWithout : undefined}
    >
      {isTooOld && <p>This outlives your session, so that it needs a sign-in of just now.</p>}
      {company ? (
        <CompanyAgain company={company} isTooOld={isTooOld} />
      ) : (
        <>
          <p>Sign in again, and what you were doing goes on. Everything you typed is still here.</p>
          <SignInForm email={account.email} />
        </>
      )}
      <ProblemNote problem={leaving.problem} />
      {isTooOld ? (
        <Button kind="quiet" onClick={goOnWithout}>
          Not now
        </Button>
      ) : (
        <p class="small">
          Not you?{' '}
          <Button kind="quiet" onClick={() => void leaving.run()}>
            Leave and forget what was typed
          </Button>
        </p>
      )}
    </Dialog>
  );
};

interface Ended {
  readonly account: Account;
  readonly company?: Company | undefined;
  readonly isTooOld: boolean;
}

/** In another tab, so that this page loses nothing; it looks again when somebody comes back to it. */
const CompanyAgain = ({
  company: { name, sign_in_at: at },
  isTooOld,
}: Pick<Ended, 'isTooOld'> & { readonly company: Company }) => {
  const looking = useAction(lookForSignIn);
  useEffect(() => {
    const look = () => void looking.run();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  const page = `${new URL(at).pathname}?${isTooOld ? 'again=1&' : ''}return_to=${encodeURIComponent(addressOf('/servers'))}`;
  return (
    <>
      <p>
        Sign in with {name} in another tab, and come back to this one: what you were doing goes on.
        Everything you typed is still here.
      </p>
      <ProblemNote problem={looking.problem} />
      <div class="buttons">
        <a class="button primary" href={page} target="_blank" rel="noopener">
          Sign in with {name}
        </a>
        <Button action={looking}>I have signed in</Button>
      </div>
    </>
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
