import { useServer } from '../frame.tsx';
import { Grants } from './grants.tsx';
import { Issuer } from './issuer.tsx';
import { MintedTokens } from './minted-tokens.tsx';
import { Policy } from './policy.tsx';

/** Who may call the server, who has let which client in, and how to end that. */
export const Page = () => {
  const { server } = useServer();
  return (
    <>
      <Policy />
      {server.mcp_auth_method === 'oauth' && <Grants />}
      {server.mcp_auth_method === 'jwt' && (
        <>
          <MintedTokens />
          <Issuer />
        </>
      )}
    </>
  );
};
