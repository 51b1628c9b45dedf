import { call } from '../../../api/call.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { fieldsOf, Form, TextField } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { linesOf } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useServer } from '../frame.tsx';
import type { BodyOf } from '../../../api/operation.ts';

const NONE = { issuer: '', jwks_uri: '', audience: '', algorithms: 'RS256' };

type Algorithm = BodyOf<'PUT /deployments/{slug}/jwt-issuer'>['algorithms'][number];

export const Issuer = () => {
  const { server } = useServer();
  const { jwt_issuer: issuer } = server;
  return (
    <section class="panel">
      <h2>Tokens of another issuer</h2>
      <IssuerForm present={issuer && { ...issuer, algorithms: issuer.algorithms.join(' ') }} />
    </section>
  );
};

const IssuerForm = ({ present }: { readonly present: typeof NONE | undefined }) => {
  const { slug, etag, reload } = useServer();
  const [draft, change, clear] = useDraft(`issuer:${slug}`, present ?? NONE);
  const saving = useAction(async () => {
    await call('PUT /deployments/{slug}/jwt-issuer', {
      path: { slug },
      // The API checks the algorithms.
      body: { ...draft, algorithms: linesOf(draft.algorithms) as Algorithm[] },
      ifMatch: etag,
    });
    clear();
    reload();
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/jwt-issuer', { path: { slug }, ifMatch: etag });
    clear();
    reload();
  });
  const field = fieldsOf(draft, change, saving.problem);
  return (
    <Form onSubmit={() => saving.run()}>
      <p class="soft">
        {present
          ? 'Tokens that it signs are accepted beside those that you create here.'
          : 'None is trusted. Only tokens that you create here are accepted.'}
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
          {...field('jwks_uri')}
        />
        <TextField label="Algorithms" hint="As RS256 ES256." required {...field('algorithms')} />
      </div>
      <ProblemNote
        problem={saving.problem ?? removing.problem}
        shownAt={['/issuer', '/audience', '/jwks_uri', '/algorithms']}
      />
      <div class="buttons">
        <Button kind="primary" submit action={saving}>
          {present ? 'Replace trust' : 'Add trust'}
        </Button>
        {present && (
          <Confirm label="Stop trusting it" title="Stop trusting this issuer?" action={removing}>
            Calls with its tokens are refused, everywhere within 15 seconds.
          </Confirm>
        )}
      </div>
      <Command
        lines={`npx --no-install hosted-mcp issuer set ${slug} --issuer ${quoted(draft.issuer || 'ISSUER')} --jwks-uri ${quoted(draft.jwks_uri || 'URL')} --audience ${quoted(draft.audience || 'AUDIENCE')} ${linesOf(
          draft.algorithms,
        )
          .map((one) => `--algorithm ${quoted(one)}`)
          .join(' ')}`}
      />
    </Form>
  );
};
