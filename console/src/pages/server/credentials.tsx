import { useState } from 'preact/hooks';
import { askedText, commandOptions } from '../../../../layers/target/rules/credential-forms.ts';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox, Radios } from '../../kit/choice.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { fieldsOf, Form, TextArea, TextField } from '../../kit/form.tsx';
import { Findings, Note, ProblemNote, Show } from '../../kit/show.tsx';
import { linesOf } from '../../kit/words.ts';
import { useAction } from '../../state/action.ts';
import { useDraft } from '../../state/draft.ts';
import { useAnswer } from '../../state/load.ts';
import { useOpeningQuestion } from '../opening.tsx';
import { useServer } from './frame.tsx';
import {
  type CredentialDraft,
  credentialOf,
  KindFields,
  KINDS,
  type Said,
  SHOWN,
  USUAL,
  wordsOf,
} from './credential-draft.tsx';
import { type Credentials, MAIN, PresentCredentials } from './present-credentials.tsx';

/** The credentials for the API: they can be replaced, never read. */
export const Page = () => {
  const { server, etag } = useServer();
  const present = useAnswer(
    `credentials:${server.slug}:${etag}`,
    'GET /deployments/{slug}/credentials',
    { path: { slug: server.slug } },
  );
  return (
    <div class="columns wide-left">
      <SetCredential present={present.value?.credentials ?? {}} />
      <section class="panel">
        <h2>What is set</h2>
        <Show loaded={present}>
          {({ credentials }) => <PresentCredentials credentials={credentials} />}
        </Show>
      </section>
    </div>
  );
};

const SetCredential = ({ present }: { readonly present: Credentials }) => {
  const { server, reload } = useServer();
  // Kept out of the stored draft: a secret lives as long as this form.
  const [secret, setSecret] = useState('');
  const [done, setDone] = useState<AnswerOf<'PUT /deployments/{slug}/credentials/{name}'>>();
  const origins = useAnswer(
    // Origins depend on version and base URL alone.
    `credential-origins:${server.slug}:${server.version}:${server.api_base_url}`,
    'GET /deployments/{slug}/credential/origins',
    { path: { slug: server.slug } },
  );
  const { origins: own = [], other_origins: others = [], needs = [] } = origins.value ?? {};
  const [way] = needs.flatMap(({ ways }) => ways);
  const login = needs.find(({ ways }) => ways.length > 0)?.login;
  // The credential that most operations ask for.
  const { type = 'bearer', name: key, in: place } = way ?? {};
  const [draft, change, clear] = useDraft<CredentialDraft>(`credential:${server.slug}`, {
    type: login === undefined ? type : 'session',
    credential: MAIN,
    schemes: '',
    origins: '',
    others: [],
  });
  const [said, say, clearSaid] = useDraft<Said>(`credential-members:${server.slug}`, {
    ...USUAL,
    ...(key !== undefined && { name: key }),
    ...(place !== undefined && { in: place }),
    ...(login !== undefined && { login }),
  });
  const name = draft.credential.trim() || MAIN;
  const schemes = wordsOf(draft.schemes);
  // Until they are loaded, the boxes checked before apply.
  const meant = originsOf(draft, own, origins.value ? others : draft.others);
  const opening = useOpeningQuestion('Set it for them');
  const setting = useAction(async () => {
    setDone(undefined);
    const { body: now, etag } = await call('GET /deployments/{slug}/credential/origins', {
      path: { slug: server.slug },
    });
    if (!(await opening.agreed(now.exposures))) return;
    const { body } = await call('PUT /deployments/{slug}/credentials/{name}', {
      path: { slug: server.slug, name },
      body: {
        ...credentialOf(draft.type, said, secret),
        ...(meant.length > 0 && { origins: [...meant] }),
        ...(schemes.length > 0 && { schemes }),
      },
      ifMatch: etag,
    });
    setSecret('');
    clear();
    clearSaid();
    setDone(body);
    reload();
  });
  const field = fieldsOf(draft, change, setting.problem);
  const isReplaced = Object.hasOwn(present, name);
  return (
    <Form class="panel" onSubmit={() => setting.run()}>
      <h2>{isReplaced ? 'Replace the credential' : 'Set the credential'}</h2>
      <Needs needs={needs} />
      <Radios legend="Type" {...field('type')} options={KINDS} />
      <KindFields
        kind={draft.type}
        said={said}
        field={fieldsOf(said, say, setting.problem)}
        secret={{ value: secret, onValue: setSecret }}
        problem={setting.problem}
      />
      <TextArea
        label="Hosts that it is sent to"
        hint="One per line, as https://api.example.com. Empty: the host of the base address, and others of its domain that the description names. It goes to no other, whatever is published later."
        rows={2}
        placeholder={own.join('\n') || new URL(server.api_base_url).origin}
        {...field('origins')}
      />
      <ProblemNote problem={origins.problem} onRetry={origins.reload} />
      {others.length > 0 && (
        <fieldset>
          <legend>Other hosts that the description names</legend>
          <p class="soft">
            Whoever runs a host gets what you send it. Check only those that are meant to have this
            credential; calls to the others are refused.
          </p>
          {others.map((origin) => (
            <Checkbox
              key={origin}
              checked={draft.others.includes(origin)}
              onChecked={(checked) =>
                change({
                  others: checked
                    ? [...draft.others, origin]
                    : draft.others.filter((one) => one !== origin),
                })
              }
            >
              <code>{origin}</code>
            </Checkbox>
          ))}
        </fieldset>
      )}
      <details open={draft.credential !== MAIN || draft.schemes !== ''}>
        <summary>One of several credentials</summary>
        <p class="soft">
          Where operations want different credentials, each has a name and says which security
          schemes of the description it is for. It goes with no other operation.
        </p>
        <div class="columns two">
          <TextField
            label="Its name"
            hint="Lower-case letters, digits and hyphens. Left as it is: the credential for everything else."
            required
            pattern="[a-z][a-z0-9\-]{0,31}"
            {...field('credential')}
          />
          <TextField
            label="Security schemes"
            hint="By their names in the description, between spaces."
            {...field('schemes')}
          />
        </div>
      </details>
      <ProblemNote problem={setting.problem} shownAt={SHOWN} />
      {done && (
        <Note kind={done.warnings.length > 0 ? 'warn' : 'good'}>
          <p>
            <strong>It is set.</strong> Calls carry it from now on, within 15 seconds everywhere.
          </p>
          {done.warnings.length > 0 && <Findings findings={done.warnings} />}
          {done.trust_policy !== undefined && (
            <>
              <p>The role has to trust this service. Its account's administrator sets:</p>
              <pre>{JSON.stringify(done.trust_policy, null, 2)}</pre>
            </>
          )}
        </Note>
      )}
      {opening.dialog}
      <div class="buttons">
        <Button kind="primary" submit action={setting}>
          {isReplaced ? 'Replace it' : 'Set it'}
        </Button>
      </div>
      <Command
        lines={[
          `npx --no-install hosted-mcp credential set ${server.slug} --type ${draft.type}`,
          ...(name === MAIN ? [] : [`--credential ${quoted(name)}`]),
          ...schemes.map((scheme) => `--scheme ${quoted(scheme)}`),
          ...commandOptions(draft.type, typedOf(said), quoted),
          ...meant.map((origin) => `--origin ${quoted(origin)}`),
        ].join(' ')}
      />
    </Form>
  );
};

type CredentialNeeds = AnswerOf<'GET /deployments/{slug}/credential/origins'>['needs'];

const typedOf = (said: Said): Said =>
  Object.fromEntries(Object.entries(said).filter(([, text]) => text !== ''));

const Needs = ({ needs }: { readonly needs: CredentialNeeds }) =>
  needs.length === 0 ? null : (
    <Note kind="info">
      <p>The description of the API asks for:</p>
      <ul>
        {needs.map(({ operations, example, ways, together = [], expires, login, others }) => (
          <li key={example}>
            {waysText(ways, together) || others.join(', or ')}, for{' '}
            {operations === 1 ? '1 operation' : `${operations} operations`} (<code>{example}</code>)
            {ways.length + together.length === 0 && ': no credential here can be that'}
            {login !== undefined && `. ${login} seems to give it: a login is renewed here`}
            {expires && '. Such a token ends after a while; of an OAuth client, it is renewed here'}
            .
          </li>
        ))}
      </ul>
    </Note>
  );

const waysText = (
  ways: CredentialNeeds[number]['ways'],
  together: NonNullable<CredentialNeeds[number]['together']>,
): string =>
  [
    ...ways.map(askedText),
    ...together.map((all) => `${all.map(askedText).join(' and ')}, each a credential with a name`),
  ].join(', or ');

/**
 * Typed hosts, or else the service's choice, plus the checked ones; none where the service's choice alone
 * applies.
 */
const originsOf = (
  draft: CredentialDraft,
  own: readonly string[],
  others: readonly string[],
): readonly string[] => {
  const typed = linesOf(draft.origins);
  const checked = others.filter((one) => draft.others.includes(one));
  return typed.length + checked.length === 0
    ? []
    : [...(typed.length > 0 ? typed : own), ...checked];
};
