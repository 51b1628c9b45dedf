import { Link } from '../../kit/button.tsx';
import { usePlace } from '../../state/location.ts';
import { PageTitle } from '../../kit/show.tsx';

const PARTS = [
  ['/operator/accounts', 'Accounts'],
  ['/operator/blocks', 'Blocks'],
] as const;

export const Head = ({ title }: { readonly title: string }) => {
  const { path } = usePlace();
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <nav class="tabs" aria-label="For operators">
        {PARTS.map(([to, name]) => (
          <Link key={to} to={to} aria-current={path.startsWith(to) ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
    </>
  );
};

/** Command line of operators; for a deployed service, the stage has to be named. */
export const adminLine = (words: string): string =>
  `npx --no-install hosted-mcp admin ${words}${isThisMachine() ? '' : ' --stage NAME'}`;

const isThisMachine = (): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
