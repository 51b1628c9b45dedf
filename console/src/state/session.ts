import { useEffect, useState } from 'preact/hooks';
import { type Account, type SessionState, sessionState, watchSession } from '../api/session.ts';

/** Who is signed in; what uses it is drawn again when that changes. */
export const useSession = (): SessionState => {
  const [state, setState] = useState(sessionState);
  useEffect(() => {
    setState(sessionState());
    return watchSession(() => setState(sessionState()));
  }, []);
  return state;
};

/** Whoever the page is for, also while the session has ended. */
export const useAccount = (): Account | undefined => {
  const session = useSession();
  return 'account' in session ? session.account : undefined;
};
