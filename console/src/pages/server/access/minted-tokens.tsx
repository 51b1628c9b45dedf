import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { fieldsOf, Form, Select, TextField } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { ShownOnce } from '../../../kit/shown-once.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useServer } from '../frame.tsx';
import { TokenList, useTokens } from './token-list.tsx';

const LIVES = [
  ['3600', 'an hour'],
  ['28800', '8 hours'],
  ['86400', 'a day'],
] as const;

const SCOPES = [
  ['', 'see and call tools'],
  ['mcp.tools.read', 'see tools only'],
] as const;

export const MintedTokens = () => {
  const { slug } = useServer();
  const [draft, change, clear] = useDraft(`mint:${slug}`, {
    name: '',
    expiresIn: '86400',
    scope: '',
  });
  const [minted, setMinted] = useState<AnswerOf<'POST /deployments/{slug}/tokens'>>();
  const tokens = useTokens(slug);
  const minting = useAction(async () => {
    const { body } = await call('POST /deployments/{slug}/tokens', {
      path: { slug },
      body: {
        expires_in: Number(draft.expiresIn),
        ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
        ...(draft.scope !== '' && { scope: draft.scope }),
      },
    });
    setMinted(body);
    clear();
    tokens.reload();
  });
  const field = fieldsOf(draft, change, minting.problem);
  return (
    <section class="panel">
      <h2>API tokens</h2>
      <Form onSubmit={() => minting.run()}>
        <div class="columns three">
          <TextField label="What it is for" placeholder="nightly report" {...field('name')} />
          <Select label="Good for" {...field('expiresIn')} options={LIVES} />
          <Select label="It may" {...field('scope')} options={SCOPES} />
        </div>
        <ProblemNote problem={minting.problem} shownAt={['/name']} />
        <Button kind="primary" submit action={minting}>
          Create a token
        </Button>
        <Command
          lines={`npx --no-install hosted-mcp token mint ${slug} --expires-in ${draft.expiresIn}${draft.name ? ` --name ${quoted(draft.name)}` : ''}${draft.scope ? ` --scope ${draft.scope}` : ''}`}
        />
      </Form>
      {minted && (
        <ShownOnce text={minted.token} label="The token" onDone={() => setMinted(undefined)} />
      )}
      <TokenList tokens={tokens} />
    </section>
  );
};
