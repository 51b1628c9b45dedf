import { call } from '../../api/call.ts';
import { Button } from '../../kit/button.tsx';
import { Radios } from '../../kit/choice.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { fieldsOf, Form, SaveButtons, Select, TextArea, TextField } from '../../kit/form.tsx';
import { plain } from '../../kit/plain-words.ts';
import { Note, ProblemNote, Time } from '../../kit/show.tsx';
import { useAction } from '../../state/action.ts';
import { useDraft } from '../../state/draft.ts';
import { forgetShown } from '../../state/load.ts';
import { go } from '../../state/location.ts';
import { type Server, useServer } from './frame.tsx';

interface SettingsDraft {
  readonly name: string;
  readonly toolMode: Server['tool_mode'];
  readonly tokenBudget: string;
  readonly answerBudget: string;
  readonly argumentChecks: Server['argument_checks'];
  readonly requestHeaders: string;
  readonly refresh: Server['refresh'];
  readonly fetchWith: Server['fetch_with'];
  readonly apiBaseUrl: string;
}

const draftOf = (server: Server): SettingsDraft => ({
  name: server.name,
  toolMode: server.tool_mode,
  tokenBudget: shownNumber(server.tool_token_budget),
  answerBudget: shownNumber(server.answer_token_budget),
  argumentChecks: server.argument_checks,
  requestHeaders: headerLines(server.request_headers),
  refresh: server.refresh,
  fetchWith: server.fetch_with,
  apiBaseUrl: server.api_base_url,
});

/** Empty: none. */
const shownNumber = (limit: number | null): string => (limit === null ? '' : String(limit));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** One in a line. */
const headerLines = (headers: Server['request_headers']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Each line without a colon is a name without a value, which the service refuses. */
const headersOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...rest] = line.split(':');
        return [name.trim(), rest.join(':').trim()];
      }),
  );

/** What was chosen for the server as a whole; pausing and removing it. */
export const Page = () => (
  <>
    <Choices />
    <Ends />
  </>
);

const Choices = () => {
  const { server, etag, putVersion, reload } = useServer();
  const before = draftOf(server);
  const [draft, change, clear] = useDraft(`settings:${server.slug}`, before);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before);
  const saving = useAction(async () => {
    const body = {
      ...(draft.name !== before.name && { name: draft.name }),
      ...(draft.toolMode !== before.toolMode && { tool_mode: draft.toolMode }),
      ...(draft.tokenBudget !== before.tokenBudget && {
        tool_token_budget: numberOf(draft.tokenBudget),
      }),
      ...(draft.answerBudget !== before.answerBudget && {
        answer_token_budget: numberOf(draft.answerBudget),
      }),
      ...(draft.argumentChecks !== before.argumentChecks && {
        argument_checks: draft.argumentChecks,
      }),
      ...(draft.requestHeaders !== before.requestHeaders && {
        request_headers: headersOf(draft.requestHeaders),
      }),
      ...(draft.refresh !== before.refresh && { refresh: draft.refresh }),
      ...(draft.fetchWith !== before.fetchWith && { fetch_with: draft.fetchWith }),
      ...(draft.apiBaseUrl !== before.apiBaseUrl && {
        api_base_url: draft.apiBaseUrl.trim() === '' ? null : draft.apiBaseUrl.trim(),
      }),
    };
    putVersion(
      await call('PATCH /deployments/{slug}', { path: { slug: server.slug }, body, ifMatch: etag }),
    );
    clear();
    forgetShown('servers');
  });
  const field = fieldsOf(draft, change, saving.problem);
  return (
    <Form class="panel" onSubmit={() => saving.run()}>
      <h2>Settings</h2>
      <TextField label="Name" maxLength={200} required {...field('name')} />
      <TextField
        label="Base URL of the API"
        hint="Empty: where the description says. A URL without a path replaces the host alone."
        type="url"
        {...field('apiBaseUrl', '/api_base_url')}
      />
      <Radios
        legend="Tools"
        value={draft.toolMode}
        onValue={(toolMode) => change({ toolMode })}
        options={[
          ['operations', 'A tool for each operation'],
          ['search', 'Search mode', 'Three tools search, describe and call the operations.'],
        ]}
      />
      <TextField
        label="Tokens that a tool may take, roughly"
        hint="Longer descriptions are shortened to fit. Empty: no limit."
        inputMode="numeric"
        {...field('tokenBudget', '/tool_token_budget')}
      />
      <TextField
        label="Tokens that an answer may take, roughly"
        hint="Longer answers are cut at whole elements, and say how to read on. Empty: no limit."
        inputMode="numeric"
        {...field('answerBudget', '/answer_token_budget')}
      />
      <Radios
        legend="A call without an argument that the description requires"
        value={draft.argumentChecks}
        onValue={(argumentChecks) => change({ argumentChecks })}
        options={[
          ['strict', 'is refused, and says what is missing'],
          ['lenient', 'is sent, and the API decides'],
        ]}
      />
      <TextArea
        label="Headers that go with each call to the API"
        hint="One in a line, as X-Tenant: acme. They replace arguments of the same name. Secrets belong under Credential."
        rows={3}
        {...field('requestHeaders', '/request_headers')}
      />
      {server.openapi_url !== undefined && (
        <>
          <Select
            label="Fetch the description again"
            hint={`From ${server.openapi_url}. What breaks no call and opens nothing is published by itself; of all else you get a mail.`}
            options={[
              ['off', 'Never'],
              ['daily', 'Once a day'],
              ['hourly', 'Every hour'],
            ]}
            {...field('refresh')}
          />
          <Refreshed server={server} />
          <Radios
            legend="The description is fetched"
            value={draft.fetchWith}
            onValue={(fetchWith) => change({ fetchWith })}
            options={[
              ['nothing', 'as anybody would fetch it'],
              ['credential', 'with the credential, if that is meant for its host'],
            ]}
          />
        </>
      )}
      <ProblemNote
        problem={saving.problem}
        shownAt={[
          '/name',
          '/api_base_url',
          '/tool_token_budget',
          '/answer_token_budget',
          '/request_headers',
        ]}
        onStale={reload}
      />
      <SaveButtons saving={saving} isChanged={isChanged} onUndo={clear} />
      <Command
        lines={`npx hosted-mcp set ${server.slug} --name ${quoted(draft.name)} --tool-mode ${draft.toolMode} --token-budget ${draft.tokenBudget || 'none'} --answer-budget ${draft.answerBudget || 'none'} --argument-checks ${draft.argumentChecks}`}
      />
    </Form>
  );
};

/** What came of fetching the description again. */
const Refreshed = ({ server: { refreshed } }: { readonly server: Server }) =>
  refreshed === undefined ? null : (
    <Note kind={refreshed.outcome === 'failed' ? 'bad' : 'info'}>
      <p>
        {REFRESHED[refreshed.outcome]} <Time at={refreshed.at} />
        {refreshed.why !== undefined && `. ${plain(refreshed.why)}`}
      </p>
    </Note>
  );

const REFRESHED = {
  unchanged: 'Nothing new was found',
  published: 'A new version was published',
  held_back: 'A new description waits for you to publish it. It was fetched',
  failed: 'It could not be used; the version before is served on. It was fetched',
} as const;

const Ends = () => {
  const { server, etag, put, reload } = useServer();
  const { slug } = server;
  const switching = useAction(async (status: 'active' | 'paused') => {
    put(
      await call('PATCH /deployments/{slug}', { path: { slug }, body: { status }, ifMatch: etag }),
    );
    forgetShown('servers');
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}', { path: { slug } });
    forgetShown('');
    go('/servers');
  });
  return (
    <section class="panel">
      <h2>Pause and remove</h2>
      <p class="soft">
        Made <Time at={server.created_at} />, changed <Time at={server.updated_at} />.
      </p>
      <ProblemNote problem={switching.problem ?? removing.problem} onStale={reload} />
      <div class="buttons">
        {server.status === 'active' && (
          <Button busy={switching.running} onClick={() => void switching.run('paused')}>
            Pause it
          </Button>
        )}
        {server.status === 'paused' && (
          <Button busy={switching.running} onClick={() => void switching.run('active')}>
            Resume it
          </Button>
        )}
        <Confirm
          action="Remove it"
          title={`Remove ${server.name}?`}
          typed={slug}
          busy={removing.running}
          onConfirm={() => void removing.run()}
        >
          Its versions, credential, resources, prompts, grants and tokens go with it, and every
          client that is connected stops working at once. Nothing brings it back; its name stays
          reserved for you for 90 days.
        </Confirm>
      </div>
      <Command lines={[`npx hosted-mcp pause ${slug}`, `npx hosted-mcp rm ${slug}`]} />
    </section>
  );
};
