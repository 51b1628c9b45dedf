import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/operation.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { Command, quoted } from '../kit/copy.tsx';
import { fieldsOf, Form, Select, TextField } from '../kit/form.tsx';
import { Badge, ProblemNote, Show } from '../kit/show.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../state/action.ts';
import { useDraft } from '../state/draft.ts';
import { useAnswer } from '../state/load.ts';
import { type Scope, SCOPES } from './token-scopes.ts';

const LIVES = [
  ['7', 'a week'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

const namesIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

export const PersonalTokens = () => {
  const [draft, change, clear] = useDraft('personal-token', {
    name: '',
    scope: 'declare',
    slugs: '',
    days: '90',
  });
  const [made, setMade] = useState<AnswerOf<'POST /account/tokens'>>();
  const tokens = useAnswer('personal-tokens', 'GET /account/tokens');
  const making = useAction(async () => {
    const slugs = namesIn(draft.slugs);
    const { body } = await call('POST /account/tokens', {
      body: {
        name: draft.name,
        scope: draft.scope as Scope,
        days: Number(draft.days),
        ...(slugs.length > 0 && { slugs: [...slugs] }),
      },
    });
    setMade(body);
    clear();
    tokens.reload();
  });
  const ending = useAction(async (id: string) => {
    await call('DELETE /account/tokens/{id}', { path: { id } });
    tokens.reload();
  });
  const field = fieldsOf(draft, change, making.problem);
  const only = namesIn(draft.slugs).map((slug) => ` --slug ${quoted(slug)}`);
  return (
    <>
      <h2>Personal access tokens</h2>
      <p class="soft">
        For programs of yours that keep servers in order, such as a pipeline. MCP clients cannot use
        them.
      </p>
      <Form onSubmit={() => making.run()}>
        <div class="columns three">
          <TextField label="What the token is for" placeholder="pipeline" {...field('name')} />
          <Select label="It may" {...field('scope')} options={SCOPES} />
          <Select label="Good for" {...field('days')} options={LIVES} />
        </div>
        <TextField
          label="Only these servers"
          placeholder="orders, stock-*"
          hint="URL names, or beginnings of some with *. All of yours if it is empty."
          {...field('slugs')}
        />
        <ProblemNote problem={making.problem} shownAt={['/name', '/slugs']} />
        <Button kind="primary" submit action={making}>
          Create the token
        </Button>
        <Command
          lines={`npx --no-install hosted-mcp personal-token add ${quoted(draft.name || 'pipeline')} --scope ${draft.scope} --days ${draft.days}${only.join('')}`}
        />
      </Form>
      {made && (
        <ShownOnce
          text={made.token}
          label="The personal access token"
          onDone={() => setMade(undefined)}
        />
      )}
      <ProblemNote problem={ending.problem} />
      <Show loaded={tokens}>
        {({ items }) => (
          <ul class="events">
            {items.map((token) => (
              <li key={token.id}>
                <span class="grow">
                  <strong>{token.name}</strong> <Badge>{token.scope}</Badge>
                  <br />
                  <span class="soft small">
                    {token.slugs ? token.slugs.join(', ') : 'all servers'} ·{' '}
                    {token.used_on === undefined ? 'never used' : `used on ${token.used_on}`} · ends{' '}
                    <Time at={token.expires_at} />
                  </span>
                </span>
                <Confirm
                  label="End it"
                  of={token.name}
                  title={`End ${token.name}?`}
                  busy={ending.running}
                  onConfirm={() => void ending.run(token.id)}
                >
                  Programs that use it are refused at once. This cannot be undone.
                </Confirm>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </>
  );
};
