import { useState } from 'preact/hooks';
import { TOKEN_VARIABLE } from '../../../../../layers/platform/rules/mcp-clients.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../kit/button.tsx';
import { CodeBlock, Command } from '../../../kit/copy.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { ShownOnce } from '../../../kit/shown-once.tsx';
import { useAction } from '../../../state/action.ts';
import { TokenList, useTokens } from '../access/token-list.tsx';
import { useServer } from '../frame.tsx';

const HOUR_SECONDS = 3600;
const NAME = 'curl and scripts';

/** Makes a token for curl and scripts, which cannot sign in as MCP clients do. */
export const ScriptToken = ({ curl }: { readonly curl: string | undefined }) => {
  const { slug } = useServer();
  const tokens = useTokens(slug);
  const [token, setToken] = useState<string>();
  const minting = useAction(async () => {
    const { body } = await call('POST /deployments/{slug}/tokens', {
      path: { slug },
      body: { expires_in: HOUR_SECONDS, name: NAME },
    });
    setToken(body.token);
    tokens.reload();
  });
  return (
    <section class="panel">
      <h2>A token for curl and scripts</h2>
      <p>It calls this server as you. It ends after an hour, or when you revoke it.</p>
      {token === undefined ? (
        <Button action={minting}>Create a token for an hour</Button>
      ) : (
        <ShownOnce
          text={`export ${TOKEN_VARIABLE}='${token}'`}
          label="The token, as a variable"
          onDone={() => setToken(undefined)}
        >
          {curl !== undefined && (
            <>
              <p>Then, in the same terminal:</p>
              <CodeBlock text={curl} label="The tools by curl" />
            </>
          )}
        </ShownOnce>
      )}
      <ProblemNote problem={minting.problem} />
      <TokenList tokens={tokens} />
      <Command
        lines={`export ${TOKEN_VARIABLE}="$(npx --no-install hosted-mcp token mint ${slug} --expires-in 1h)"`}
      />
    </section>
  );
};
