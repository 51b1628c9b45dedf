import { call } from '../api/call.ts';
import type { AnswerOf, BodyOf } from '../api/operation.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { fieldsOf, Form, Select, TextField } from '../kit/form.tsx';
import { Copy } from '../kit/copy.tsx';
import { Badge, ProblemNote, Show } from '../kit/show.tsx';
import { useAction } from '../state/action.ts';
import { useDraft } from '../state/draft.ts';
import { useAnswer } from '../state/load.ts';
import { SCOPES } from './token-scopes.ts';

type Wanted = BodyOf<'POST /account/trusts'>;

const KINDS = [
  ['github', 'a GitHub workflow'],
  ['aws', 'a role of AWS'],
] as const;

const AWS_ROLES = 'https://sts.amazonaws.com';

/** Pipelines that sign in without a secret. */
export const Trusts = () => {
  const [draft, change, clear] = useDraft('trust', {
    name: '',
    kind: 'github',
    scope: 'declare',
    slugs: '',
    repositoryId: '',
    ownerId: '',
    environment: '',
    issuer: '',
    account: '',
    role: '',
  });
  const trusts = useAnswer('trusts', 'GET /account/trusts');
  const isAws = draft.kind === 'aws';
  const making = useAction(async () => {
    const slugs = draft.slugs.split(/[\s,]+/).filter(Boolean);
    const { account, role, repositoryId, ownerId, environment } = draft;
    const issuer = draft.issuer.trim();
    await call('POST /account/trusts', {
      body: {
        name: draft.name,
        scope: draft.scope as Wanted['scope'],
        ...(isAws
          ? { issuer: AWS_ROLES, claims: { account: account.trim(), role: role.trim() } }
          : {
              ...(issuer !== '' && { issuer }),
              claims: {
                repository_id: repositoryId.trim(),
                repository_owner_id: ownerId.trim(),
                environment: environment.trim(),
              },
            }),
        ...(slugs.length > 0 && { slugs }),
      } as Wanted,
    });
    clear();
    trusts.reload();
  });
  const ending = useAction(async (id: string) => {
    await call('DELETE /account/trusts/{id}', { path: { id } });
    trusts.reload();
  });
  const field = fieldsOf(draft, change, making.problem);
  return (
    <>
      <h2>Workload identity</h2>
      <p class="soft">
        A pipeline signs in by what its own platform says of it, so that no token lies about. What
        you add gets an id, which goes into the pipeline as <code>HOSTED_MCP_TRUST</code>; it is no
        secret.
      </p>
      <Form onSubmit={() => making.run()}>
        <div class="columns three">
          <TextField label="What the machine is for" placeholder="orders" {...field('name')} />
          <Select label="It is" {...field('kind')} options={KINDS} />
          <Select label="The machine may" {...field('scope')} options={SCOPES} />
        </div>
        {isAws ? (
          <div class="columns">
            <TextField label="Account" placeholder="111122223333" {...field('account')} />
            <TextField label="Name of the role" placeholder="orders-build" {...field('role')} />
          </div>
        ) : (
          <div class="columns three">
            <TextField
              label="Number of the repository"
              hint="its id at GitHub, not its name"
              {...field('repositoryId')}
            />
            <TextField
              label="Number of its owner"
              hint="the id of the account or organization"
              {...field('ownerId')}
            />
            <TextField
              label="Environment"
              hint="of the workflow's job; runs of pull requests look and plan alone"
              placeholder="production"
              {...field('environment')}
            />
          </div>
        )}
        {!isAws && (
          <TextField
            label="Issuer, of GitHub Enterprise alone"
            placeholder="https://github.example.com/_services/token"
            hint={
              <>
                Empty for github.com. For GitLab, Buildkite, CircleCI and others:{' '}
                <code>npx --no-install hosted-mcp trust add</code>{' '}
                <code class="unbroken">--issuer</code>
              </>
            }
            {...field('issuer')}
          />
        )}
        <TextField
          label="Servers of the machine"
          placeholder="orders, stock-*"
          hint="URL names, or beginnings of some with *. All of yours if it is empty."
          {...field('slugs')}
        />
        <ProblemNote problem={making.problem} shownAt={['/name', '/slugs', '/issuer']} />
        <div class="buttons">
          <Button kind="primary" submit action={making}>
            Add trust
          </Button>
        </div>
      </Form>
      <ProblemNote problem={ending.problem} />
      <Show loaded={trusts}>
        {({ items }) => (
          <ul class="events">
            {items.map((trust) => (
              <li key={trust.id}>
                <span class="grow">
                  <strong>{trust.name}</strong> <Badge>{trust.scope}</Badge>
                  <br />
                  <span class="soft small">
                    <code>{claimsText(trust)}</code> ·{' '}
                    {trust.slugs ? trust.slugs.join(', ') : 'all servers'} ·{' '}
                    {trust.used_on === undefined ? 'never used' : `used on ${trust.used_on}`}
                  </span>
                  <br />
                  <code>{trust.id}</code> <Copy text={trust.id} what={`the id of ${trust.name}`} />
                </span>
                <Confirm
                  label="End it"
                  of={`the trust in ${trust.name}`}
                  title={`Trust ${trust.name} no more?`}
                  busy={ending.running}
                  onConfirm={() => void ending.run(trust.id)}
                >
                  The machine signs in no more; what it signed in to ends within 15 minutes.
                </Confirm>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </>
  );
};

const claimsText = ({ claims }: AnswerOf<'GET /account/trusts'>['items'][number]): string =>
  Object.entries(claims)
    .map(([claim, text]) => `${claim}=${text}`)
    .join(' ');
