import { useEffect, useState } from 'preact/hooks';
import {
  type Account,
  type Company,
  type SessionState,
  sessionState,
  watchSession,
} from '../api/session.ts';

export const useSession = (): SessionState => {
  const [state, setState] = useState(sessionState);
  useEffect(() => {
    setState(sessionState());
    return watchSession(() => setState(sessionState()));
  }, []);
  return state;
};

/** The signed-in account, also after its session has ended. */
export const useAccount = (): Account | undefined => {
  const session = useSession();
  return 'account' in session ? session.account : undefined;
};

/** The company whose sign-in began the session; undefined after a sign-in with a password. */
export const useCompany = (): Company | undefined => {
  const session = useSession();
  return 'company' in session ? session.company : undefined;
};
