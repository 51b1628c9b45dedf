import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { Radios } from '../../../kit/choice.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { TextArea } from '../../../kit/field.tsx';
import { fieldsOf, Form, SaveButtons } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { linesOf } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { exposuresOf, useOpeningQuestion } from '../../opening.tsx';
import { type Server, useServer } from '../frame.tsx';
import { accessOf, Allowed } from './allowed.tsx';

interface PolicyDraft {
  readonly authMethod: Server['mcp_auth_method'];
  readonly mode: Server['access']['mode'];
  readonly allowed: string;
  readonly docs: Server['docs'];
  readonly origins: string;
}

const draftOf = (server: Server): PolicyDraft => ({
  authMethod: server.mcp_auth_method,
  mode: server.access.mode,
  allowed: [...(server.access.emails ?? []), ...(server.access.domains ?? [])].join('\n'),
  docs: server.docs,
  origins: server.allowed_origins.join('\n'),
});

/** How callers are known, and who of them is let in. */
export const Policy = () => {
  const { server, etag, put, reload } = useServer();
  const [draft, change, clear] = useDraft(`access:${server.slug}`, draftOf(server));
  const access = accessOf(draft.mode, draft.allowed);
  const [sent, setSent] = useState<typeof access>();
  const opening = useOpeningQuestion('Let them in');
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(server));
  const saving = useAction(async () => {
    setSent(access);
    const callers = { mcp_auth_method: draft.authMethod, access };
    if (!(await opening.agreed(await exposuresOf(server, callers)))) return;
    const answered = await call('PATCH /deployments/{slug}', {
      path: { slug: server.slug },
      body: {
        ...callers,
        docs: draft.docs,
        allowed_origins: linesOf(draft.origins),
      },
      ifMatch: etag,
    });
    put(answered);
    clear();
  });
  const field = fieldsOf(draft, change, saving.problem);
  return (
    <Form class="panel" onSubmit={() => saving.run()}>
      <h2>Who may call it</h2>
      <Radios
        legend="Authentication"
        value={draft.authMethod}
        onValue={(authMethod) => change({ authMethod })}
        options={[
          ['oauth', 'Sign-in (OAuth)', 'Clients open a page where their user signs in and agrees.'],
          [
            'jwt',
            'API tokens',
            'Programs call it with tokens that you create here, or of an issuer of your own.',
          ],
          ['none', 'Public', 'Nobody signs in; calls are limited by address.'],
        ]}
      />
      {draft.authMethod === 'oauth' && (
        <>
          <Radios
            legend="Who may sign in"
            value={draft.mode}
            onValue={(mode) => change({ mode })}
            options={[
              ['owner', 'Only you'],
              ['allow_list', 'These people', 'By address, or everybody of a domain.'],
              ['any_user', 'Everybody with an account here'],
            ]}
          />
          {draft.mode === 'allow_list' && (
            <Allowed
              value={draft.allowed}
              onValue={(text) => change({ allowed: text })}
              problem={saving.problem}
              sent={sent}
            />
          )}
        </>
      )}
      <details open={draft.docs === 'public' || draft.origins !== ''}>
        <summary>Documentation page and clients in browsers</summary>
        <Radios
          legend="Who sees the tools on the documentation page"
          value={draft.docs}
          onValue={(docs) => change({ docs })}
          options={[
            ['protected', 'Who may use it'],
            ['public', 'Everybody'],
          ]}
        />
        <TextArea
          label="Origins of clients that run in a browser"
          hint="One per line, as https://app.example.com. For public servers."
          rows={2}
          {...field('origins', '/allowed_origins')}
        />
      </details>
      <ProblemNote
        problem={saving.problem}
        shownAt={['/allowed_origins', ...(draft.mode === 'allow_list' ? ['/access'] : [])]}
        onStale={reload}
      />
      {opening.dialog}
      <SaveButtons saving={saving} isChanged={isChanged} onUndo={clear} />
      <Command lines={commandOf(server.slug, draft, access)} />
    </Form>
  );
};

const commandOf = (
  slug: string,
  draft: PolicyDraft,
  { emails, domains }: ReturnType<typeof accessOf>,
): string =>
  [
    `npx hosted-mcp set ${slug} --auth ${draft.authMethod}`,
    ...(draft.authMethod !== 'oauth'
      ? []
      : draft.mode === 'allow_list'
        ? [...emails, ...domains].map((one) => `--allow ${quoted(one)}`)
        : [`--access ${draft.mode}`]),
    `--docs ${draft.docs}`,
    ...linesOf(draft.origins).map((one) => `--allowed-origin ${quoted(one)}`),
  ].join(' ');
