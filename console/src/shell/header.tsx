import { signOut } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Plug } from '../kit/icons.tsx';
import { Link } from '../kit/link.tsx';
import { ProblemNote } from '../kit/notice.tsx';
import { useAction } from '../state/action.ts';
import { usePlace } from '../state/location.ts';
import { useAccount } from '../state/session.ts';

const ENTRIES: readonly (readonly [path: string, name: string, forOperators?: true])[] = [
  ['/servers', 'Servers'],
  ['/usage', 'Usage'],
  ['/mine', 'Account'],
  ['/operator/accounts', 'Operator', true],
];

export const Header = () => {
  const account = useAccount();
  const { path } = usePlace();
  const leaving = useAction(signOut);
  return (
    <header class="top">
      <div class="bar">
        <Link to="/servers" class="brand">
          <Plug />
          Hosted MCP
        </Link>
        {account && (
          <nav aria-label="Console">
            {ENTRIES.filter(([, , forOperators]) => !forOperators || account.operator === true).map(
              ([to, name]) => (
                <Link key={to} to={to} aria-current={isWithin(path, to) ? 'page' : undefined}>
                  {name}
                </Link>
              ),
            )}
          </nav>
        )}
        {account && (
          <div class="who">
            <span class="email" title={account.email}>
              {account.email}
            </span>
            <Button kind="quiet" busy={leaving.running} onClick={() => void leaving.run()}>
              Sign out
            </Button>
          </div>
        )}
      </div>
      <ProblemNote problem={leaving.problem} />
    </header>
  );
};

/** `/operator/blocks` is within `/operator/accounts`: they have one entry. */
const isWithin = (path: string, entry: string): boolean =>
  path.startsWith(entry.split('/').slice(0, 2).join('/'));
