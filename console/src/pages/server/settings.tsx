import { certificatesIn } from '../../../../layers/target/rules/pem.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../kit/button.tsx';
import { Radios } from '../../kit/choice.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import type { Finding } from '../../api/problem.ts';
import { fieldsOf, Form, SaveButtons, Select, TextArea, TextField } from '../../kit/form.tsx';
import { plain } from '../../kit/plain-words.ts';
import { Message, ProblemNote } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../state/action.ts';
import { useDraft } from '../../state/draft.ts';
import { forgetShown, useAnswer } from '../../state/load.ts';
import { go } from '../../state/location.ts';
import { type Server, useServer } from './frame.tsx';

const draftOf = (server: Server) => ({
  name: server.name,
  tool_mode: server.tool_mode,
  tool_token_budget: shownNumber(server.tool_token_budget),
  answer_token_budget: shownNumber(server.answer_token_budget),
  access_token_seconds: shownNumber(server.access_token_seconds),
  argument_checks: server.argument_checks,
  request_headers: headerLines(server.request_headers),
  certificate_authorities: server.certificate_authorities.join('\n'),
  cases_right: shownNumber(server.cases_right),
  refresh: server.refresh,
  fetch_with: server.fetch_with,
  api_base_url: server.api_base_url,
  network: server.network ?? '',
});

const sentOf = (draft: ReturnType<typeof draftOf>) => ({
  ...draft,
  tool_token_budget: numberOf(draft.tool_token_budget),
  answer_token_budget: numberOf(draft.answer_token_budget),
  access_token_seconds: numberOf(draft.access_token_seconds),
  request_headers: headersOf(draft.request_headers),
  certificate_authorities:
    draft.certificate_authorities.trim() === ''
      ? []
      : [...certificatesIn(draft.certificate_authorities)],
  api_base_url: draft.api_base_url.trim() === '' ? null : draft.api_base_url.trim(),
  cases_right: numberOf(draft.cases_right),
  network: draft.network === '' ? null : draft.network,
});

/** An empty text means no limit. Text that is no number is sent as it is, and the API refuses it. */
const shownNumber = (limit: number | null): string => (limit === null ? '' : String(limit));
const numberOf = (text: string): number | null => {
  if (text.trim() === '') return null;
  return Number.isFinite(Number(text)) ? Number(text) : (text as unknown as number);
};

const headerLines = (headers: Server['request_headers']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** A line without a colon becomes a header without a value, which the API refuses. */
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

export const Page = () => (
  <>
    <Choices />
    <Ends />
  </>
);

const Choices = () => {
  const { server, patch, putVersion, reload } = useServer();
  const before = draftOf(server);
  const [draft, change, clear] = useDraft(`settings:${server.slug}`, before);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before);
  const saving = useAction(async () => {
    const isOther = ([name]: [string, unknown]) =>
      draft[name as keyof typeof draft] !== before[name as keyof typeof draft];
    putVersion(await patch(Object.fromEntries(Object.entries(sentOf(draft)).filter(isOther))));
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
        {...field('api_base_url')}
      />
      <Network {...field('network')} />
      <Radios
        legend="Tools"
        {...field('tool_mode')}
        options={{
          operations: 'A tool for each operation',
          search: ['Search mode', 'Three tools search, describe and call the operations.'],
        }}
      />
      <TextField
        label="Tokens that a tool may take, roughly"
        hint="Longer descriptions are shortened to fit. Empty: no limit."
        inputMode="numeric"
        {...field('tool_token_budget')}
      />
      <TextField
        label="Tokens that an answer may take, roughly"
        hint="Longer answers are cut at whole elements, and say how to read on. Empty: no limit."
        inputMode="numeric"
        {...field('answer_token_budget')}
      />
      <TextField
        label="Seconds that an access token is good"
        hint="3600 to 86400. Clients that do not refresh their token ask people to sign in again as often. Empty: as the service says, usually 3600."
        inputMode="numeric"
        {...field('access_token_seconds')}
      />
      <Radios
        legend="A call that lacks an argument, or has one of another type or format, than the description requires"
        {...field('argument_checks')}
        options={{
          strict: 'is refused, and says what is wrong',
          lenient: 'is sent, and the API decides',
        }}
      />
      <TextArea
        label="Headers that go with each call to the API"
        hint="One in a line, as X-Tenant: acme. They replace arguments of the same name. Secrets belong under Credentials."
        rows={3}
        {...field('request_headers')}
      />
      <TextArea
        label="Certificates that calls to the API trust"
        hint="In PEM, one after the other, beside the public authorities: that of your company, or the one that the API has signed itself."
        rows={3}
        {...field('certificate_authorities')}
      />
      <TextField
        label="Minimum evaluation score to publish"
        hint="Percent of the cases that a run with its tools gets right. Empty: no minimum."
        inputMode="numeric"
        {...field('cases_right')}
      />
      {server.openapi_url !== undefined && (
        <>
          <Select
            label="Fetch the description again"
            hint={`From ${server.openapi_url}. What breaks no call and opens nothing is published by itself; of all else you get a mail.`}
            options={{ off: 'Never', daily: 'Once a day', hourly: 'Every hour' }}
            {...field('refresh')}
          />
          <Refreshed server={server} />
          <Radios
            legend="The description is fetched"
            {...field('fetch_with')}
            options={{
              nothing: 'as anybody would fetch it',
              credential: 'with the credential, if that is meant for its host',
            }}
          />
        </>
      )}
      <ProblemNote
        problem={saving.problem}
        shownAt={[
          '/name',
          '/api_base_url',
          '/network',
          '/tool_token_budget',
          '/answer_token_budget',
          '/access_token_seconds',
          '/request_headers',
          '/certificate_authorities',
          '/cases_right',
        ]}
        onStale={reload}
      />
      <SaveButtons saving={saving} isChanged={isChanged} onUndo={clear} />
      <Command
        lines={`npx --no-install hosted-mcp set ${server.slug} --name ${quoted(draft.name)} --tool-mode ${draft.tool_mode} --token-budget ${draft.tool_token_budget || 'none'} --answer-budget ${draft.answer_token_budget || 'none'} --access-token-seconds ${draft.access_token_seconds || 'none'} --argument-checks ${draft.argument_checks}${draft.network === before.network ? '' : ` --network ${quoted(draft.network)}`}`}
      />
    </Form>
  );
};

interface NetworkProps {
  /** Name of a network; empty for none. */
  readonly value: string;
  readonly onValue: (name: string) => void;
  readonly faults: readonly Finding[];
}

/** Choice of a private network, if the operator has one for the owner or the server is in one. */
const Network = ({ value, ...field }: NetworkProps) => {
  const { value: { items = [] } = {} } = useAnswer('networks', 'GET /networks', {});
  const names = items.map(({ name }) => name);
  if (value !== '' && !names.includes(value)) names.push(value);
  if (names.length === 0) return null;
  const hosts = items.find(({ name }) => name === value)?.hosts;
  return (
    <Select
      label="Where the API is"
      hint={hosts && `Hosts that may be called there: ${hosts.join(', ')}`}
      value={value}
      options={[['', 'On the public internet'], ...names.map(inNetwork)]}
      {...field}
    />
  );
};

const inNetwork = (name: string): readonly [string, string] => [
  name,
  `In the private network ${name}`,
];

const Refreshed = ({ server: { refreshed } }: { readonly server: Server }) =>
  refreshed === undefined ? null : (
    <Message kind={refreshed.outcome === 'failed' ? 'bad' : 'info'}>
      {REFRESHED[refreshed.outcome]} <Time at={refreshed.at} />
      {refreshed.why !== undefined && `. ${plain(refreshed.why)}`}
    </Message>
  );

const REFRESHED = {
  unchanged: 'Nothing new was found',
  published: 'A new version was published',
  held_back: 'A new description waits for you to publish it. It was fetched',
  failed: 'It could not be used; the version before is served on. It was fetched',
} as const;

const Ends = () => {
  const { slug, server, etag, patch, put, reload } = useServer();
  const switching = useAction(async (status: 'active' | 'paused') => {
    put(await patch({ status }));
    forgetShown('servers');
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}', { path: { slug }, ifMatch: etag });
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
        <Confirm label="Remove it" title={`Remove ${server.name}?`} typed={slug} action={removing}>
          Its versions, credentials, resources, prompts, grants and tokens go with it. Every
          connected client stops working at once. Nothing brings it back. Its URL name stays
          reserved for you for 90 days.
        </Confirm>
      </div>
      <Command
        lines={[
          `npx --no-install hosted-mcp pause ${slug}`,
          `npx --no-install hosted-mcp rm ${slug}`,
        ]}
      />
    </section>
  );
};
