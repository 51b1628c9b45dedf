import { useState } from 'preact/hooks';
import { call, readAll } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Command } from '../../../kit/copy.tsx';
import { DraftButtons, fieldsOf, Form, Select, TextField } from '../../../kit/form.tsx';
import { saveAs } from '../../../kit/save-as.ts';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { count } from '../../../kit/words.ts';
import { type Action, useAction } from '../../../state/action.ts';
import { useAnswer } from '../../../state/load.ts';
import { Result } from './one-call.tsx';
import { useServer } from '../frame.tsx';
import { OneRecorded, type RecordedCall, sentText } from './recorded-call.tsx';
import { personOf } from './series.ts';

type Recording = AnswerOf<'GET /deployments/{slug}/recording'>;

export const Recorded = () => {
  const { slug, reload } = useServer();
  const loaded = useAnswer(`recording:${slug}`, 'GET /deployments/{slug}/recording', {
    path: { slug },
  });
  const changed = (recording: Recording): void => {
    loaded.put(recording);
    // The switch changes the server's ETag, which trials and changes have to send.
    reload();
  };
  return (
    <section>
      <h2>What is sent and answered</h2>
      <Show loaded={loaded}>
        {(recording) => (
          <>
            {recording.on ? (
              <RecordingOn recording={recording} onChange={changed} />
            ) : (
              <RecordingOff onChange={changed} />
            )}
            <RecordedCalls onRemoved={() => changed({ on: false })} />
          </>
        )}
      </Show>
    </section>
  );
};

const DAYS = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
] as const;

const RecordingOff = ({ onChange }: { readonly onChange: (recording: Recording) => void }) => {
  const { slug } = useServer();
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState({ days: '7', tool: '', subject: '' });
  const switching = useAction(async () => {
    const { days, tool, subject } = draft;
    const { body } = await call('PUT /deployments/{slug}/recording', {
      path: { slug },
      body: {
        days: Number(days),
        ...(tool.trim() && { tool: tool.trim() }),
        ...(subject.trim() && { subject: subject.trim() }),
      },
    });
    onChange(body);
  });
  const field = fieldsOf(
    draft,
    (part) => setDraft((before) => ({ ...before, ...part })),
    switching.problem,
  );
  return (
    <>
      <p>
        Arguments and answers of calls are not recorded. To see what models send, have them recorded
        for some days.
      </p>
      {!isOpen && <Button onClick={() => setOpen(true)}>Record calls…</Button>}
      {isOpen && (
        <Form class="panel" onSubmit={() => void switching.run()}>
          <p>
            What people send through their assistants may be private. While calls are recorded, the
            consent page says so, and so does the server’s own page. What is likely to be a secret
            is masked. You alone can read it, and each look is on record. After these days all of it
            is gone.
          </p>
          <Select label="For" {...field('days')} options={DAYS} />
          <TextField label="One tool alone" hint="All tools, if empty." {...field('tool')} />
          <TextField
            label="One person alone"
            hint="An e-mail, or what the list of calls shows. Everybody, if empty."
            {...field('subject')}
          />
          <ProblemNote problem={switching.problem} onRetry={() => void switching.run()} />
          <DraftButtons
            submit="Record calls"
            busy={switching.running}
            disabled={false}
            onCancel={() => setOpen(false)}
          />
          <Command lines={`npx --no-install hosted-mcp recording ${slug} --days ${draft.days}`} />
        </Form>
      )}
    </>
  );
};

const RecordingOn = ({
  recording: { since = '', until = '', tool, subject },
  onChange,
}: {
  readonly recording: Recording;
  readonly onChange: (recording: Recording) => void;
}) => {
  const { slug } = useServer();
  const stopping = useAction(async () => {
    await call('DELETE /deployments/{slug}/recording', { path: { slug } });
    onChange({ on: false });
  });
  return (
    <div class="panel">
      <p>
        <strong>Calls are recorded</strong>
        {tool !== undefined && (
          <>
            {' '}
            of <code>{tool}</code>
          </>
        )}
        {subject !== undefined && <> by {subject}</>} since <Time at={since} />. All of it is gone{' '}
        <Time at={until} />.
      </p>
      <ProblemNote problem={stopping.problem} onRetry={() => void stopping.run()} />
      <Button action={stopping}>Stop recording</Button>
    </div>
  );
};

/** Most calls that one press of the button reads. */
const MOST = 300;

const RecordedCalls = ({ onRemoved }: { readonly onRemoved: () => void }) => {
  const { slug } = useServer();
  const [search, setSearch] = useState('');
  const [calls, setCalls] = useState<readonly RecordedCall[]>();
  const [shown, setShown] = useState<RecordedCall>();
  // Each look is on record, so nothing is read before somebody asks for it.
  const looking = useAction(async () => {
    const query = { search: search.trim() || undefined };
    const wanted = { path: { slug }, query };
    setCalls(await readAll('GET /deployments/{slug}/recorded-calls', wanted, { most: MOST }));
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/recorded-calls', { path: { slug } });
    setCalls([]);
    onRemoved();
  });
  return (
    <>
      <Form class="buttons" onSubmit={() => void looking.run()}>
        <input
          type="search"
          class="grow"
          aria-label="Text in recorded calls"
          placeholder="Text in them"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <Button submit action={looking}>
          Show recorded calls
        </Button>
      </Form>
      <ProblemNote problem={looking.problem} onRetry={() => void looking.run()} />
      {calls?.length === 0 && <p class="soft">No call of that kind is recorded.</p>}
      {calls !== undefined && calls.length > 0 && (
        <>
          <p class="small soft counted" aria-live="polite">
            {calls.length >= MOST ? 'The latest ' : ''}
            {count(calls.length, 'call')}
          </p>
          <Rows calls={calls} onShow={setShown} />
          <div class="buttons">
            <Button onClick={() => saveAs(`${slug}-calls.jsonl`, jsonLines(calls))}>
              Save as JSON lines
            </Button>
            <RemoveAll removing={removing} />
          </div>
        </>
      )}
      <Command lines={`npx --no-install hosted-mcp logs ${slug} --calls --content`} />
      {shown && <OneRecorded shown={shown} onClose={() => setShown(undefined)} />}
    </>
  );
};

const jsonLines = (calls: readonly RecordedCall[]): Blob =>
  new Blob(
    calls.map((one) => `${JSON.stringify(one)}\n`),
    { type: 'application/jsonl' },
  );

const RemoveAll = ({ removing }: { readonly removing: Action<[]> }) => (
  <>
    <Confirm label="Remove all" title="Remove what is recorded?" action={removing}>
      Nobody can read it any more then. Calls are recorded no more, either.
    </Confirm>
    <ProblemNote problem={removing.problem} onRetry={() => void removing.run()} />
  </>
);

const Rows = ({
  calls,
  onShow,
}: {
  readonly calls: readonly RecordedCall[];
  readonly onShow: (one: RecordedCall) => void;
}) => (
  <Table
    label="Recorded calls"
    rows={calls}
    keyOf={({ id }) => id}
    columns={[
      [
        'Tool',
        (one) => (
          <button type="button" class="as-link" onClick={() => onShow(one)}>
            {one.tool}
          </button>
        ),
      ],
      ['Sent', (one) => <code>{beginning(sentText(one))}</code>],
      ['Outcome', (one) => <Result one={one} />],
      ['Person', personOf],
      ['When', (one) => <Time at={one.at} />],
    ]}
  />
);

const SHORT = 80;

const beginning = (text: string): string =>
  text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
