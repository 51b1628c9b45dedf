import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { readAll } from '../../../api/pages-of.ts';
import { Button } from '../../../kit/button.tsx';
import { Radios } from '../../../kit/choice.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { TextArea } from '../../../kit/field.tsx';
import { fieldsOf, Form, SaveButtons } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { count, linesOf, listed } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { type Server, useServer } from '../frame.tsx';
import {
  addedProviders,
  allowedLines,
  allowListOf,
  faultsOf,
  isOpened,
  meaningOf,
} from './allow-lines.ts';

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
  const allowed = allowedLines(draft.allowed);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(server));
  const listsPeople = draft.authMethod === 'oauth' && draft.mode === 'allow_list';
  // What was refused stays beside its line, whatever is typed on others meanwhile.
  const [sent, setSent] = useState<readonly string[]>([]);
  const saving = useAction(async () => {
    setSent(allowed);
    const answered = await call('changeDeployment', {
      path: { slug: server.slug },
      body: {
        mcp_auth_method: draft.authMethod,
        access: { mode: draft.mode, ...(draft.mode === 'allow_list' && allowListOf(allowed)) },
        docs: draft.docs,
        allowed_origins: linesOf(draft.origins),
      },
      ifMatch: etag,
    });
    put(answered);
    clear();
  });
  const field = fieldsOf(draft, change, saving.problem);
  const [questions, setQuestions] = useState<readonly string[]>([]);
  const asking = useAction(async () => {
    const found = await questionsOf(server, draft);
    if (found.length > 0) setQuestions(found);
    else await saving.run();
  });
  const faults = faultsOf(sent, saving.problem?.findings ?? []);
  return (
    <Form class="panel" onSubmit={() => asking.run()}>
      <h2>Who may call it</h2>
      <Radios
        legend="How callers are known"
        value={draft.authMethod}
        onValue={(authMethod) => change({ authMethod })}
        options={[
          [
            'oauth',
            'People who sign in',
            'Clients open a page where their user signs in and agrees.',
          ],
          ['jwt', 'Programs with a token', 'Minted here, or by an issuer of your own.'],
          ['none', 'Everybody', 'Nobody signs in; calls are limited by address.'],
        ]}
      />
      {draft.authMethod === 'oauth' && (
        <>
          <Radios
            legend="Who of them"
            value={draft.mode}
            onValue={(mode) => change({ mode })}
            options={[
              ['owner', 'Only you'],
              ['allow_list', 'These people', 'By address, or everybody of a domain.'],
              ['any_user', 'Everybody with an account here'],
            ]}
          />
          {listsPeople && (
            <>
              <TextArea
                label="Addresses and domains"
                hint="One per line: ada@example.com, or example.org for everybody there."
                rows={4}
                {...field('allowed', '/access')}
                faults={field('allowed', '/access').faults.filter(
                  ({ where }) => !/^\/access\/(?:emails|domains)\/\d+$/.test(where),
                )}
                fault={faults.size > 0 ? 'Lines below say what is wrong with them.' : undefined}
              />
              {allowed.length > 0 && (
                <ul class="plain">
                  {allowed.map((line, index) => (
                    <li key={`${index} ${line}`}>
                      <code>{line}</code>{' '}
                      {faults.has(line) ? (
                        <span class="fault">{faults.get(line)}</span>
                      ) : (
                        <span class="soft">{meaningOf(line)}</span>
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
        </>
      )}
      <details open={draft.docs === 'public' || draft.origins !== ''}>
        <summary>Its page of documentation, and clients in browsers</summary>
        <Radios
          legend="Who sees the tools on its page"
          value={draft.docs}
          onValue={(docs) => change({ docs })}
          options={[
            ['protected', 'Who may use it'],
            ['public', 'Everybody'],
          ]}
        />
        <TextArea
          label="Origins of clients that run in a browser"
          hint="One per line, as https://app.example.com. For servers that everybody may call."
          rows={2}
          {...field('origins', '/allowed_origins')}
        />
      </details>
      <ProblemNote
        problem={saving.problem}
        shownAt={['/allowed_origins', ...(listsPeople ? ['/access'] : [])]}
        onStale={reload}
      />
      <ProblemNote problem={asking.problem} />
      {questions.length > 0 && (
        <Dialog title="Open it to people you do not know?" onClose={() => setQuestions([])}>
          {questions.map((question) => (
            <p key={question}>{question}</p>
          ))}
          <div class="buttons">
            <Button
              kind="danger"
              onClick={() => {
                setQuestions([]);
                void saving.run();
              }}
            >
              Open it
            </Button>
            <Button onClick={() => setQuestions([])}>Cancel</Button>
          </div>
        </Dialog>
      )}
      <SaveButtons saving={saving} isChanged={isChanged} onUndo={clear} />
      <Command lines={commandOf(server.slug, draft, allowed)} />
    </Form>
  );
};

/** What is asked before this is saved: who would be let in anew, and what they could do. */
const questionsOf = async (server: Server, draft: PolicyDraft): Promise<readonly string[]> => {
  const before = draftOf(server);
  const lines = allowedLines(draft.allowed);
  const providers =
    draft.authMethod === 'oauth' && draft.mode === 'allow_list'
      ? addedProviders(lines, before.mode === 'allow_list' ? allowedLines(before.allowed) : [])
      : [];
  const power = isOpened(before, draft) ? await powerOf(server) : undefined;
  return [
    ...(providers.length > 0
      ? [
          `Anybody can have an address of ${listed([...providers])}: whoever makes one may call this server.`,
        ]
      : []),
    ...(power === undefined
      ? []
      : [
          `${draft.authMethod === 'none' ? 'Anybody on the internet' : 'Anybody with an account here'} ${power}`,
        ]),
  ];
};

/** What its callers can do with it; undefined where they only read, and without a credential. */
const powerOf = async (server: Server): Promise<string | undefined> => {
  const tools = await readAll('listTools', { path: { slug: server.slug } });
  const changing = tools.filter(({ annotations }) => annotations['readOnlyHint'] !== true).length;
  if (!server.has_credential && changing === 0) return undefined;
  const credential = server.has_credential ? ', with your credential' : '';
  const some =
    changing === 0
      ? 'none of which changes data'
      : `${changing.toLocaleString('en')} of which may change data`;
  return `can call its ${count(tools.length, 'tool')}, ${some}${credential}.`;
};

const commandOf = (slug: string, draft: PolicyDraft, allowed: readonly string[]): string =>
  [
    `npx hosted-mcp set ${slug} --auth ${draft.authMethod}`,
    ...(draft.authMethod !== 'oauth'
      ? []
      : draft.mode === 'allow_list'
        ? allowed.map((one) => `--allow ${quoted(one)}`)
        : [`--access ${draft.mode}`]),
    `--docs ${draft.docs}`,
    ...linesOf(draft.origins).map((one) => `--allowed-origin ${quoted(one)}`),
  ].join(' ');
