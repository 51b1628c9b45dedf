import { useEffect } from 'preact/hooks';
import { type Account, type Company, goOnWithout, lookForSignIn, signOut } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ProblemNote } from '../kit/show.tsx';
import { useAction } from '../state/action.ts';
import { addressOf } from '../state/location.ts';
import { SignInForm } from './sign-in.tsx';

/** Asks for a new sign-in over the page, whose content stays. */
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

export interface Ended {
  readonly account: Account;
  readonly company?: Company | undefined;
  readonly isTooOld: boolean;
}

/** Has the person sign in in another tab, so that this page loses nothing, and looks for the session on return. */
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
