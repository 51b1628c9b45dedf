import { signOut } from '../api/session.ts';
import { Button, Link } from '../kit/button.tsx';
import { ProblemNote } from '../kit/show.tsx';
import { useAction } from '../state/action.ts';
import { usePlace } from '../state/location.ts';
import { useAccount } from '../state/session.ts';

const ENTRIES: readonly (readonly [path: string, name: string, forOperators?: true])[] = [
  ['/servers', 'Servers'],
  ['/usage', 'Usage'],
  ['/account', 'Account'],
  ['/operator/accounts', 'Operator', true],
  ['/help', 'Help'],
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
            <Button kind="quiet" action={leaving}>
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

const Plug = () => (
  <svg
    width={24}
    height={24}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="M9 2v5M15 2v5M6 7h12v4a6 6 0 0 1-12 0zM12 17v5" />
  </svg>
);
