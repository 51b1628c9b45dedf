import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Message, ProblemNote } from '../../kit/show.tsx';
import { Facts } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { count } from '../../kit/words.ts';
import { useAction } from '../../state/action.ts';
import { KINDS, membersOf } from './credential-draft.tsx';
import { TestOutcome, useCredentialTest } from './credential-test.tsx';
import { useServer } from './frame.tsx';

export type Credentials = AnswerOf<'GET /deployments/{slug}/credentials'>['credentials'];
type Credential = Credentials[string];

/** Name of the credential whose owner has given it no other. */
export const MAIN = 'main';

/** The stored credentials, with everything but their secrets. */
export const PresentCredentials = ({ credentials }: { readonly credentials: Credentials }) => {
  const all = Object.entries(credentials);
  if (all.length === 0) {
    return (
      <p class="soft">
        None: calls go out without a credential. APIs that are open to everybody need none.
      </p>
    );
  }
  const isOnly = all.length === 1 && all[0]?.[0] === MAIN;
  return all.map(([name, credential]) => (
    <section key={name} aria-label={`Credential ${name}`}>
      {!isOnly && <h3>{name}</h3>}
      <PresentCredential name={name} credential={credential} />
    </section>
  ));
};

const PresentCredential = ({
  name,
  credential,
}: {
  readonly name: string;
  readonly credential: Credential;
}) => {
  const { server, etag, reload } = useServer();
  const path = { slug: server.slug, name };
  const testing = useCredentialTest(server.slug, name);
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/credentials/{name}', { path, ifMatch: etag });
    reload();
  });
  const { refused } = credential;
  return (
    <>
      {refused && (
        <Message kind="bad">
          <strong>The API refuses it.</strong> Since <Time at={refused.since} />{' '}
          {count(refused.calls, 'call')} got HTTP {refused.status}, and none was let in. It may have
          ended, or lack a right: set another one in its place.
        </Message>
      )}
      <Facts of={factsOf(credential)} />
      <TestOutcome testing={testing} slug={server.slug} />
      <ProblemNote problem={removing.problem} onStale={reload} />
      <div class="buttons">
        <Button action={testing} aria-label={`Test it: ${name}`}>
          Test it
        </Button>
        <Confirm label="Remove it" of={name} title="Remove the credential?" action={removing}>
          Calls go out without it from then on, and an API that wants it refuses them.
        </Confirm>
      </div>
    </>
  );
};

const factsOf = (credential: Credential) => {
  const { type, origins, schemes } = credential;
  return {
    Type: KINDS[type][0],
    ...membersOf(type, credential),
    'Valid until': credential.not_after && <Time at={credential.not_after} />,
    'Goes with': schemes && `operations that want ${schemes.join(' or ')}`,
    'Sent to': origins.map((origin) => (
      <div key={origin}>
        <code>{origin}</code>
      </div>
    )),
    Set: <Time at={credential.set_at} />,
  };
};
