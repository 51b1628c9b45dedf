import { useState } from 'preact/hooks';
import { CREDENTIAL_FORMS } from '../../../../layers/target/rules/credential-forms.ts';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { member } from '../../../../layers/platform/rules/json/json.ts';
import { plain } from '../../kit/plain-words.ts';
import { Progress } from '../../kit/progress.tsx';
import { Note, ProblemNote } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../state/action.ts';

type Tested = AnswerOf<'POST /deployments/{slug}/credentials/{name}/test'>;

export const useCredentialTest = (slug: string, name: string) => {
  const [tested, setTested] = useState<Tested>();
  const testing = useAction(async () => {
    setTested(undefined);
    const path = { slug, name };
    setTested((await call('POST /deployments/{slug}/credentials/{name}/test', { path })).body);
  });
  const forget = () => {
    setTested(undefined);
    testing.clear();
  };
  return { ...testing, tested, forget };
};

interface TestOutcomeProps {
  readonly testing: ReturnType<typeof useCredentialTest>;
  readonly slug: string;
}

export const TestOutcome = ({ testing, slug }: TestOutcomeProps) => (
  <div aria-live="polite">
    {testing.running && <Progress what="Testing it…" />}
    <ProblemNote problem={testing.problem} onRetry={() => void testing.run()} />
    {testing.tested &&
      (testing.tested.works ? (
        <Works of={testing.tested} slug={slug} />
      ) : (
        <Fails of={testing.tested} />
      ))}
  </div>
);

const PLACES = CREDENTIAL_FORMS.oauth_client.fields['client_auth']?.words;

const Works = ({
  of: { called, client_auth: by, expires_at: expiresAt, scopes },
  slug,
}: {
  readonly of: Tested;
  readonly slug: string;
}) => (
  <Note kind="good">
    <p>
      <strong>{called ? <Answered {...called} /> : UNCALLED}</strong>
      {by !== undefined && ` The client shows ${member(PLACES ?? {}, by) ?? by}.`}
      {expiresAt !== undefined && (
        <>
          {' '}
          The token ends <Time at={expiresAt} />, and is renewed.
        </>
      )}
      {scopes && scopes.length > 0 && ` It allows ${scopes.join(', ')}.`}
    </p>
    <ButtonLink to={`/servers/${slug}/connect`}>Connect a client</ButtonLink>
  </Note>
);

const UNCALLED = 'It works as far as this service can tell without calling the API.';

const Answered = ({ operation, status = 0 }: NonNullable<Tested['called']>) => (
  <>
    {status < 400 ? 'It works: ' : 'The API did not refuse it: '}
    <code>{operation}</code> was answered with <code>{status}</code>
    {status < 400 ? '.' : ', which says nothing of a credential.'}
  </>
);

const Fails = ({ of: { called, problem } }: { readonly of: Tested }) => (
  <Note kind="bad">
    <strong>It does not work.</strong> {problem && plain(problem.message)}
    {problem?.error !== undefined && (
      <>
        {' '}
        (<code>{problem.error}</code>)
      </>
    )}
    {called?.status !== undefined && (
      <>
        {' '}
        (<code>{called.operation}</code>: <code>{called.status}</code>)
      </>
    )}
  </Note>
);
