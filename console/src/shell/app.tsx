import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';
import { resumeSession, type SessionState } from '../api/session.ts';
import { LIVE_REGION } from '../kit/announce.ts';
import { ProblemNote, Skeleton } from '../kit/show.tsx';
import { useReconnected } from '../state/action.ts';
import { useSession } from '../state/session.ts';
import { Boundary, Outlet } from './outlet.tsx';
import { Header } from './header.tsx';
import type { Ended } from './sign-in-again.tsx';
import { SignInPage } from './sign-in.tsx';

export const App = () => {
  const session = useSession();
  const [problem, setProblem] = useState<Problem>();
  const resume = () => {
    resumeSession().then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  // Runs before the first paint: the first view waits for the session.
  useLayoutEffect(resume, []);
  useReconnected(problem, resume);
  const SignInAgain = useSignInAgain(session);

  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <Header />
      <p id={LIVE_REGION} role="status" />
      <main id="main" tabIndex={-1}>
        <Boundary>
          {session.phase === 'unknown' &&
            (problem ? <ProblemNote problem={problem} onRetry={resume} /> : <Skeleton />)}
          {session.phase === 'signed_out' && <SignInPage at={session.signInAt} />}
          {(session.phase === 'signed_in' || session.phase === 'ended') && (
            <Outlet key={session.account.id} />
          )}
        </Boundary>
      </main>
      {session.phase === 'ended' && SignInAgain && <SignInAgain {...session} />}
    </>
  );
};

/** Loads the sign-in dialog once somebody is signed in: not for the first view, and before it is needed. */
const useSignInAgain = ({ phase }: SessionState): FunctionComponent<Ended> | undefined => {
  const [loaded, setLoaded] = useState<FunctionComponent<Ended>>();
  useEffect(() => {
    if (phase !== 'signed_in' && phase !== 'ended') return;
    // A failed load is tried again when the session ends, which an answer of the service tells.
    import('./sign-in-again.tsx').then(
      ({ SignInAgain }) => setLoaded(() => SignInAgain),
      () => undefined,
    );
  }, [phase]);
  return loaded;
};
