import { useRef, useState } from 'preact/hooks';
import { askedText, commandOptions } from '../../../../layers/target/rules/credential-forms.ts';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox, Radios } from '../../kit/choice.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { fieldsOf, Form, TextArea, TextField } from '../../kit/form.tsx';
import { member } from '../../../../layers/platform/rules/json/json.ts';
import { Findings, Note, ProblemNote, Show, Skeleton } from '../../kit/show.tsx';
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
  saidOf,
  SHOWN,
  wordsOf,
} from './credential-draft.tsx';
import { TestOutcome, useCredentialTest } from './credential-test.tsx';
import { NextSteps } from './next-steps.tsx';
import { type Credentials, MAIN, PresentCredentials } from './present-credentials.tsx';

export const Page = () => {
  const { server, etag } = useServer();
  const path = { slug: server.slug };
  const present = useAnswer(
    `credentials:${server.slug}:${etag}`,
    'GET /deployments/{slug}/credentials',
    { path },
  );
  const prospect = useAnswer(
    // Origins change only with version and base URL.
    `credential-origins:${server.slug}:${server.version}:${server.api_base_url}`,
    'GET /deployments/{slug}/credential/origins',
    { path },
  );
  // The form stays while the credentials are loaded again.
  const known = useLast(present.value?.credentials);
  return (
    <>
      <NextSteps at="credentials" />
      <div class="columns wide-left">
        {known && prospect.value ? (
          <SetCredential present={known} prospect={prospect.value} />
        ) : (
          <section class="panel">
            <ProblemNote problem={prospect.problem} onRetry={prospect.reload} />
            {!prospect.problem && !present.problem && <Skeleton />}
          </section>
        )}
        <section class="panel">
          <h2>What is set</h2>
          <Show loaded={present}>
            {({ credentials }) => <PresentCredentials credentials={credentials} />}
          </Show>
        </section>
      </div>
    </>
  );
};

const useLast = <Value,>(value: Value | undefined): Value | undefined => {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
};

type Prospect = AnswerOf<'GET /deployments/{slug}/credential/origins'>;

interface SetCredentialProps {
  readonly present: Credentials;
  readonly prospect: Prospect;
}

const SetCredential = ({ present, prospect }: SetCredentialProps) => {
  const { slug, server, reload } = useServer();
  // The secret is kept out of the stored draft: it lives as long as this form.
  const [secret, setSecret] = useState('');
  const [done, setDone] = useState<AnswerOf<'PUT /deployments/{slug}/credentials/{name}'>>();
  const { origins: own, other_origins: others, needs } = prospect;
  const [shown, setShown] = useState<string>(MAIN);
  const [named, changeName, clearName] = useDraft(`credential-name:${slug}`, { credential: shown });
  const name = named.credential.trim() || MAIN;
  const its = member(present, name);
  const proposals = needs.flatMap((need) => need.proposals);
  const [draft, change, clear] = useDraft<CredentialDraft>(`credential:${slug}`, {
    type: its?.type ?? proposals[0]?.type ?? 'bearer',
    schemes: its?.schemes?.join(' ') ?? '',
    ...placesOf(its?.origins ?? own, own, others),
  });
  const { type } = draft;
  const [said, say, clearSaid] = useDraft<Said>(
    `credential-members:${slug}`,
    saidOf(type, [...(its ? [its] : []), ...proposals]),
  );
  const schemes = wordsOf(draft.schemes);
  const meant = originsOf(draft, own, others);
  const opening = useOpeningQuestion('Set it for them');
  const testing = useCredentialTest(slug, name);
  const setting = useAction(async () => {
    setDone(undefined);
    testing.forget();
    const { body: now, etag } = await call('GET /deployments/{slug}/credential/origins', {
      path: { slug },
    });
    if (!(await opening.agreed(now.exposures))) return;
    const { body } = await call('PUT /deployments/{slug}/credentials/{name}', {
      path: { slug, name },
      body: {
        ...credentialOf(type, said, secret),
        ...(meant.length > 0 && { origins: [...meant] }),
        ...(schemes.length > 0 && { schemes }),
      },
      ifMatch: etag,
    });
    setSecret('');
    // The form goes on with the credential that was just set.
    setShown(name);
    clearName();
    clear();
    clearSaid();
    setDone(body);
    reload();
    void testing.run();
  });
  const field = fieldsOf(draft, change, setting.problem);
  return (
    <Form class="panel" onSubmit={() => setting.run()}>
      <h2>{its ? 'Replace the credential' : 'Set the credential'}</h2>
      <Needs needs={needs} />
      <Radios legend="Type" {...field('type')} options={KINDS} />
      <KindFields
        kind={type}
        said={said}
        field={fieldsOf(said, say, setting.problem)}
        secret={{ value: secret, onValue: setSecret }}
        isSet={its?.type === type}
        problem={setting.problem}
      />
      <div class="buttons">
        <Button kind="primary" submit action={setting}>
          {its ? 'Replace it' : 'Set it'}
        </Button>
        <span class="soft small">It is tested at once.</span>
      </div>
      <ProblemNote problem={setting.problem} shownAt={SHOWN} />
      {opening.dialog}
      {done && <WasSet of={done} />}
      {done && <TestOutcome testing={testing} slug={slug} />}
      <details open={draft.origins !== '' || others.length > 0}>
        <summary>Hosts that it is sent to</summary>
        <TextArea
          label="Hosts that it is sent to"
          hint="One per line, as https://api.example.com. Empty: the host of the base address, and others of its domain that the description names. It goes to no other, whatever is published later."
          rows={2}
          placeholder={own.join('\n') || new URL(server.api_base_url).origin}
          {...field('origins')}
        />
        {others.length > 0 && (
          <fieldset>
            <legend>Other hosts that the description names</legend>
            <p class="soft">
              Whoever runs a host gets what you send it. Check only those that are meant to have
              this credential; calls to the others are refused.
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
      </details>
      <details open={name !== MAIN || draft.schemes !== ''}>
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
            {...fieldsOf(named, changeName, setting.problem)('credential')}
          />
          <TextField
            label="Security schemes"
            hint="By their names in the description, between spaces."
            {...field('schemes')}
          />
        </div>
      </details>
      <Command
        lines={[
          `npx --no-install hosted-mcp credential set ${slug} --type ${type}`,
          ...(name === MAIN ? [] : [`--credential ${quoted(name)}`]),
          ...schemes.map((scheme) => `--scheme ${quoted(scheme)}`),
          ...commandOptions(type, typedOf(said), quoted),
          ...meant.map((origin) => `--origin ${quoted(origin)}`),
        ].join(' ')}
      />
    </Form>
  );
};

const WasSet = ({
  of: { warnings, trust_policy: policy },
}: {
  readonly of: AnswerOf<'PUT /deployments/{slug}/credentials/{name}'>;
}) => (
  <Note kind={warnings.length > 0 ? 'warn' : 'good'}>
    <p>
      <strong>It is set.</strong> Calls carry it from now on, within 15 seconds everywhere.
    </p>
    {warnings.length > 0 && <Findings findings={warnings} />}
    {policy !== undefined && (
      <>
        <p>The role has to trust this service. Its account's administrator sets:</p>
        <pre>{JSON.stringify(policy, null, 2)}</pre>
      </>
    )}
  </Note>
);

type CredentialNeeds = Prospect['needs'];

const typedOf = (said: Said): Said =>
  Object.fromEntries(Object.entries(said).filter(([, text]) => text !== ''));

const Needs = ({ needs }: { readonly needs: CredentialNeeds }) =>
  needs.length === 0 ? null : (
    <Note kind="info">
      <p>The description of the API asks for:</p>
      <ul>
        {needs.map(
          ({ operations, example, ways, together = [], expires, login, proposals, others }) => (
            <li key={example}>
              {waysText(ways, together) || others.join(', or ')}, for{' '}
              {operations === 1 ? '1 operation' : `${operations} operations`} (
              <code>{example}</code>)
              {ways.length + together.length === 0 && ': no credential here can be that'}
              {login !== undefined && `. ${login} seems to give it: a login is renewed here`}
              {expires &&
                (proposals[0]?.type === 'oauth_client'
                  ? '. An OAuth client gets it by client credentials, and it is renewed here'
                  : '. Such a token ends after a while; of an OAuth client, it is renewed here')}
              .
            </li>
          ),
        )}
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

/** Splits hosts for the form: typed ones, if they differ from the service's choice, and checked ones. */
const placesOf = (
  origins: readonly string[],
  own: readonly string[],
  others: readonly string[],
): Pick<CredentialDraft, 'origins' | 'others'> => {
  const typed = origins.filter((one) => !others.includes(one));
  const isUsual = typed.length === own.length && typed.every((one) => own.includes(one));
  return {
    origins: isUsual ? '' : typed.join('\n'),
    others: others.filter((one) => origins.includes(one)),
  };
};

/** Typed hosts, or else the service's choice, plus the checked ones; none if only the service's choice applies. */
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
