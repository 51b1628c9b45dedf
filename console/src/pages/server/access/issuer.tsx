import { call } from '../../../api/call.ts';
import { Problem } from '../../../api/problem.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { fieldsOf, Form, TextField } from '../../../kit/form.tsx';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { linesOf } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useLoad } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';

interface IssuerDraft {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly audience: string;
  readonly algorithms: string;
}

const NONE: IssuerDraft = { issuer: '', jwksUri: '', audience: '', algorithms: 'RS256' };

/** Whose tokens are accepted beside minted ones. */
export const Issuer = () => {
  const { slug } = useServer().server;
  const issuer = useLoad<IssuerDraft | null>(`issuer:${slug}`, async () => {
    try {
      const { body } = await call('GET /deployments/{slug}/jwt-issuer', { path: { slug } });
      return {
        issuer: body.issuer,
        jwksUri: body.jwks_uri,
        audience: body.audience,
        algorithms: body.algorithms.join(' '),
      };
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  });
  return (
    <section class="panel">
      <h2>Tokens of another issuer</h2>
      <Show loaded={issuer}>
        {(present) => <IssuerForm present={present} reload={issuer.reload} />}
      </Show>
    </section>
  );
};

const IssuerForm = ({
  present,
  reload,
}: {
  readonly present: IssuerDraft | null;
  readonly reload: () => void;
}) => {
  const { slug } = useServer().server;
  const [draft, change, clear] = useDraft(`issuer:${slug}`, present ?? NONE);
  const saving = useAction(async () => {
    type Algorithms = Parameters<typeof call<'PUT /deployments/{slug}/jwt-issuer'>>[1]['body'];
    await call('PUT /deployments/{slug}/jwt-issuer', {
      path: { slug },
      body: {
        issuer: draft.issuer,
        jwks_uri: draft.jwksUri,
        audience: draft.audience,
        algorithms: linesOf(draft.algorithms),
      } as Algorithms,
    });
    clear();
    reload();
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/jwt-issuer', { path: { slug } });
    clear();
    reload();
  });
  const field = fieldsOf(draft, change, saving.problem);
  return (
    <Form onSubmit={() => saving.run()}>
      <p class="soft">
        {present
          ? 'Tokens that it signs are accepted beside those that are created here.'
          : 'None is trusted: only tokens that are created here are accepted.'}
      </p>
      <div class="columns two">
        <TextField
          label="Issuer"
          hint="Exactly the iss of its tokens."
          required
          {...field('issuer')}
        />
        <TextField
          label="Audience"
          hint="The aud that they must name."
          required
          {...field('audience')}
        />
        <TextField
          label="Address of its keys"
          hint="A JWK set, by https."
          type="url"
          required
          {...field('jwksUri', '/jwks_uri')}
        />
        <TextField label="Algorithms" hint="As RS256 ES256." required {...field('algorithms')} />
      </div>
      <ProblemNote
        problem={saving.problem ?? removing.problem}
        shownAt={['/issuer', '/audience', '/jwks_uri', '/algorithms']}
      />
      <div class="buttons">
        <Button kind="primary" submit busy={saving.running}>
          {present ? 'Replace it' : 'Trust it'}
        </Button>
        {present && (
          <Confirm
            action="Stop trusting it"
            title="Stop trusting this issuer?"
            busy={removing.running}
            onConfirm={() => void removing.run()}
          >
            Calls with its tokens are refused, everywhere within 15 seconds.
          </Confirm>
        )}
      </div>
      <Command
        lines={`npx hosted-mcp issuer set ${slug} --issuer ${quoted(draft.issuer || 'ISSUER')} --jwks-uri ${quoted(draft.jwksUri || 'URL')} --audience ${quoted(draft.audience || 'AUDIENCE')} ${linesOf(
          draft.algorithms,
        )
          .map((one) => `--algorithm ${quoted(one)}`)
          .join(' ')}`}
      />
    </Form>
  );
};
