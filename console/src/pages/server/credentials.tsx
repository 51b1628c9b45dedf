import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { AnswerOf, BodyOf } from '../../api/operation.ts';
import { findingsAt } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox, Radios } from '../../kit/choice.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { fieldsOf, Form, Select, TextArea, TextField } from '../../kit/form.tsx';
import { Findings, Message, Note, ProblemNote, Show } from '../../kit/show.tsx';
import { Facts } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { count, linesOf } from '../../kit/words.ts';
import { useAction } from '../../state/action.ts';
import { useDraft } from '../../state/draft.ts';
import { useAnswer } from '../../state/load.ts';
import { useOpeningQuestion } from '../opening.tsx';
import { useServer } from './frame.tsx';

type Credential = AnswerOf<'GET /deployments/{slug}/credential'>;
type Place = 'header' | 'query' | 'cookie';

interface CredentialDraft {
  readonly type: Credential['type'];
  readonly name: string;
  readonly in: Place;
  readonly username: string;
  readonly origins: string;
  /** Checked hosts among the description's other ones. */
  readonly others: readonly string[];
}

const NOTHING: CredentialDraft = {
  type: 'bearer',
  name: 'X-Api-Key',
  in: 'header',
  username: '',
  origins: '',
  others: [],
};

/** The credential for the API: it can be replaced, never read. */
export const Page = () => {
  const { server } = useServer();
  return (
    <div class="columns wide-left">
      <SetCredential />
      <section class="panel">
        <h2>What is set</h2>
        {server.has_credential ? (
          <PresentCredential />
        ) : (
          <p class="soft">
            None: calls go out without a credential. APIs that are open to everybody need none.
          </p>
        )}
      </section>
    </div>
  );
};

const SetCredential = () => {
  const { server, reload } = useServer();
  // Kept out of the stored draft: a secret lives as long as this form.
  const [secret, setSecret] = useState('');
  const [done, setDone] = useState<AnswerOf<'PUT /deployments/{slug}/credential'>>();
  const origins = useAnswer(
    // Origins depend on version and base URL alone.
    `credential-origins:${server.slug}:${server.version}:${server.api_base_url}`,
    'GET /deployments/{slug}/credential/origins',
    { path: { slug: server.slug } },
  );
  const { origins: own = [], other_origins: others = [], needs = [] } = origins.value ?? {};
  const [draft, change, clear] = useDraft(`credential:${server.slug}`, presetOf(needs));
  // Until they are loaded, the boxes checked before apply.
  const meant = originsOf(draft, own, origins.value ? others : draft.others);
  const opening = useOpeningQuestion('Set it for them');
  const setting = useAction(async () => {
    setDone(undefined);
    const { body: now } = await call('GET /deployments/{slug}/credential/origins', {
      path: { slug: server.slug },
    });
    if (!(await opening.agreed(now.exposures))) return;
    const { body } = await call('PUT /deployments/{slug}/credential', {
      path: { slug: server.slug },
      body: credentialOf(draft, secret, meant),
    });
    setSecret('');
    clear();
    setDone(body);
    reload();
  });
  const field = fieldsOf(draft, change, setting.problem);
  return (
    <Form class="panel" onSubmit={() => setting.run()}>
      <h2>{server.has_credential ? 'Replace the credential' : 'Set the credential'}</h2>
      <Needs needs={needs} />
      <Radios
        legend="Type"
        {...field('type')}
        options={{
          bearer: ['Bearer token', 'Authorization: Bearer …'],
          api_key: ['API key', 'In a header, the query or a cookie'],
          basic: ['User and password', 'Authorization: Basic …'],
        }}
      />
      {draft.type === 'api_key' && (
        <div class="columns two">
          <TextField label="Name of the key" required {...field('name')} />
          <Select
            label="Sent in"
            {...field('in')}
            options={{ header: 'a header', query: 'the query', cookie: 'a cookie' }}
          />
        </div>
      )}
      {draft.type === 'basic' && <TextField label="User name" required {...field('username')} />}
      <TextField
        label={{ bearer: 'Token', api_key: 'Key', basic: 'Password' }[draft.type]}
        hint="It is stored encrypted. Nobody can read it again, not even you."
        type="password"
        autocomplete="off"
        required
        value={secret}
        faults={['/token', '/value', '/password'].flatMap((at) => findingsAt(setting.problem, at))}
        onValue={setSecret}
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
      <ProblemNote problem={setting.problem} shownAt={SHOWN} />
      {done && (
        <Note kind={done.warnings.length > 0 ? 'warn' : 'good'}>
          <p>
            <strong>It is set.</strong> Calls carry it from now on, within 15 seconds everywhere.
          </p>
          {done.warnings.length > 0 && <Findings findings={done.warnings} />}
        </Note>
      )}
      {opening.dialog}
      <div class="buttons">
        <Button kind="primary" submit action={setting}>
          {server.has_credential ? 'Replace it' : 'Set it'}
        </Button>
      </div>
      <Command
        lines={[
          `npx hosted-mcp credential set ${server.slug} --type ${draft.type}`,
          ...(draft.type === 'api_key' ? [`--name ${quoted(draft.name)} --in ${draft.in}`] : []),
          ...(draft.type === 'basic' ? [`--username ${quoted(draft.username || 'USER')}`] : []),
          ...meant.map((origin) => `--origin ${quoted(origin)}`),
        ].join(' ')}
      />
    </Form>
  );
};

type CredentialNeeds = AnswerOf<'GET /deployments/{slug}/credential/origins'>['needs'];

/** The credential that most operations ask for. */
const presetOf = (needs: CredentialNeeds): CredentialDraft => {
  const [way] = needs.flatMap(({ ways }) => ways);
  return {
    ...NOTHING,
    ...(way && { type: way.type }),
    ...(way?.name !== undefined && { name: way.name }),
    ...(way?.in !== undefined && { in: way.in }),
  };
};

const Needs = ({ needs }: { readonly needs: CredentialNeeds }) =>
  needs.length === 0 ? null : (
    <Note kind="info">
      <p>The description of the API asks for:</p>
      <ul>
        {needs.map(({ operations, example, ways, expires, others }) => (
          <li key={example}>
            {ways.length > 0 ? ways.map(wayText).join(', or ') : others.join(', or ')}, for{' '}
            {operations === 1 ? '1 operation' : `${operations} operations`} (<code>{example}</code>)
            {ways.length === 0 && ': no credential here can be that'}
            {expires && '. Such a token ends after a while, and nothing here renews it'}.
          </li>
        ))}
      </ul>
    </Note>
  );

const wayText = ({ type, name, in: place }: CredentialNeeds[number]['ways'][number]): string => {
  if (type === 'basic') return 'a user name and a password';
  if (type === 'bearer') return 'a bearer token';
  return `a key in the ${place === 'query' ? 'query parameter' : place} ${name}`;
};

const SHOWN = ['/name', '/username', '/token', '/value', '/password', '/origins'];

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

const credentialOf = (
  draft: CredentialDraft,
  secret: string,
  origins: readonly string[],
): BodyOf<'PUT /deployments/{slug}/credential'> => {
  const bound = origins.length > 0 && { origins: [...origins] };
  switch (draft.type) {
    case 'bearer':
      return { type: 'bearer', token: secret, ...bound };
    case 'basic':
      return { type: 'basic', username: draft.username, password: secret, ...bound };
    case 'api_key':
      return { type: 'api_key', name: draft.name, in: draft.in, value: secret, ...bound };
  }
};

const TYPES = { bearer: 'Bearer token', api_key: 'API key', basic: 'User and password' } as const;

const PresentCredential = () => {
  const { server, etag, reload } = useServer();
  const { slug } = server;
  const credential = useAnswer(`credential:${slug}:${etag}`, 'GET /deployments/{slug}/credential', {
    path: { slug },
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/credential', { path: { slug } });
    reload();
  });
  return (
    <Show loaded={credential}>
      {({ type, name, in: place, origins, set_at: setAt, refused }) => (
        <>
          {refused && (
            <Message kind="bad">
              <strong>The API refuses it.</strong> Since <Time at={refused.since} />{' '}
              {count(refused.calls, 'call')} got HTTP {refused.status}, and none was let in. It may
              have ended, or lack a right: set another one below.
            </Message>
          )}
          <Facts
            of={{
              Type: TYPES[type],
              'Sent as':
                name === undefined ? undefined : (
                  <>
                    <code>{name}</code> in {place === 'query' ? 'the query' : `a ${place}`}
                  </>
                ),
              'Sent to': origins.map((origin) => (
                <div key={origin}>
                  <code>{origin}</code>
                </div>
              )),
              Set: <Time at={setAt} />,
            }}
          />
          <ProblemNote problem={removing.problem} />
          <Confirm label="Remove it" title="Remove the credential?" action={removing}>
            Calls go out without one from then on, and an API that wants one refuses them.
          </Confirm>
        </>
      )}
    </Show>
  );
};
