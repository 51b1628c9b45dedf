import { useLayoutEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';
import { resumeSession } from '../api/session.ts';
import { LIVE_REGION } from '../kit/announce.ts';
import { ProblemNote, Skeleton } from '../kit/show.tsx';
import { useReconnected } from '../state/action.ts';
import { useSession } from '../state/session.ts';
import { Boundary, Outlet } from './outlet.tsx';
import { Header } from './header.tsx';
import { SignInAgain, SignInPage } from './sign-in.tsx';

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
      {session.phase === 'ended' && <SignInAgain {...session} />}
    </>
  );
};
