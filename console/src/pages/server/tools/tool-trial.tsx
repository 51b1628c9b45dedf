import { member } from '../../../../../layers/platform/rules/json/json.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Form, TextArea } from '../../../kit/form.tsx';
import { Message, ProblemNote, Show, Skeleton } from '../../../kit/show.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useList } from '../../../state/load.ts';
import { useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { ArgumentField } from './argument-field.tsx';
import { argumentsOf, faultsOf, readArguments, readJson, type Typed } from './tool-arguments.ts';
import type { Tool } from './tool.ts';
import { TrialResult } from './trial-result.tsx';

interface Draft {
  readonly as: 'form' | 'json';
  readonly typed: Typed;
  readonly json: string;
}

export const ToolTrial = ({ tool }: { readonly tool: Tool }) => {
  const { server } = useServer();
  const [chosen] = useQuery('version');
  return /^[1-9]\d{0,8}$/.test(chosen) && Number(chosen) !== server.version ? (
    <FormerTrial name={tool.name} version={Number(chosen)} />
  ) : (
    <Trial tool={tool} />
  );
};

/** Tries the tool as another version has it: arguments and effects may differ. */
const FormerTrial = ({ name, version }: { readonly name: string; readonly version: number }) => {
  const { slug, etag } = useServer();
  const wants = { path: { slug }, query: { version } };
  const tools = useList(`tools:${slug}:${version}:${etag}`, 'GET /deployments/{slug}/tools', wants);
  return (
    <Show loaded={tools}>
      {(all) => {
        const tool = all.find((one) => one.name === name);
        if (tool) return <Trial {...{ tool, version }} />;
        return tools.loading ? <Skeleton /> : <p>{`Version ${version} has no tool “${name}”.`}</p>;
      }}
    </Show>
  );
};

interface TrialProps {
  readonly tool: Tool;
  /** A version that is not served. */
  readonly version?: number;
}

const Trial = ({ tool, version }: TrialProps) => {
  const { server, etag, reload } = useServer();
  const all = argumentsOf(tool.input_schema);
  const [draft, change, clear] = useDraft<Draft>(`try:${server.slug}:${tool.name}`, {
    as: 'form',
    typed: {},
    json: '{}',
  });
  const [tried, setTried] = useState<{
    sent: object;
    trial: AnswerOf<'POST /deployments/{slug}/tools/{name}/test'>;
  }>();
  const [touched, setTouched] = useState(false);

  const asJson = readJson(draft.json);
  const read = readArguments(all, draft.typed);
  const values = draft.as === 'form' ? read.values : asObject(asJson.value);
  const isReadable =
    draft.as === 'form' ? Object.keys(read.faults).length === 0 : asJson.fault === undefined;

  const [isAsked, setAsked] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const under = useRef<AbortController | undefined>(undefined);
  const refused =
    tried?.trial.error?.code === 'invalid_params' ? faultsOf(tried.trial.error.data) : {};

  const calling = useAction(async () => {
    setStopped(false);
    // An earlier result must not look like that of this call.
    setTried(undefined);
    under.current = new AbortController();
    const { body } = await call('POST /deployments/{slug}/tools/{name}/test', {
      path: { slug: server.slug, name: tool.name },
      body: { arguments: values, ...(version !== undefined && { version }) },
      // This ETag was read before the tools, so that a change in between is refused.
      ifMatch: etag,
      signal: under.current.signal,
    });
    setTried({ sent: values, trial: body });
  });
  const submit = () => {
    setTouched(true);
    if (!isReadable) return focusFault();
    if (tool.annotations['destructiveHint'] === true) return setAsked(true);
    void calling.run();
  };
  /** Runs after the faults are rendered. */
  const focusFault = () =>
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  useEffect(() => {
    if (Object.keys(refused).length > 0) focusFault();
  }, [tried]);
  // Leaving the page stops waiting for the answer.
  useEffect(() => () => under.current?.abort(), []);

  return (
    <Form ref={form} class="trial" noValidate onSubmit={submit}>
      {draft.as === 'form' ? (
        all.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            value={member(draft.typed, argument.name) ?? ''}
            fault={
              touched
                ? (member(read.faults, argument.name) ?? member(refused, argument.name))
                : undefined
            }
            onValue={(text) => change({ typed: { ...draft.typed, [argument.name]: text } })}
          />
        ))
      ) : (
        <TextArea
          label="Arguments"
          hint="A JSON object"
          rows={10}
          value={draft.json}
          fault={touched ? asJson.fault : undefined}
          onValue={(json) => change({ json })}
        />
      )}
      {all.length === 0 && draft.as === 'form' && <p class="soft">It takes no arguments.</p>}
      <div class="buttons">
        <Button kind="primary" submit action={calling}>
          {calling.running ? <Elapsed /> : 'Call'}
        </Button>
        {calling.running && (
          <Button
            onClick={() => {
              under.current?.abort();
              setStopped(true);
            }}
          >
            Cancel
          </Button>
        )}
        <Button
          kind="quiet"
          onClick={() =>
            change(
              draft.as === 'form'
                ? { as: 'json', json: JSON.stringify(values, null, 2) }
                : { as: 'form' },
            )
          }
        >
          {draft.as === 'form' ? 'Write JSON instead' : 'Back to the form'}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            clear();
            setTried(undefined);
            setTouched(false);
          }}
        >
          Clear
        </Button>
      </div>
      <p class="small soft">
        {version !== undefined && `With version ${version}, which is not the served one. `}This is a
        real call to {server.api_base_url}
        {server.has_credential
          ? ', with the credential of this server.'
          : ', without a credential.'}
      </p>
      <ProblemNote
        problem={calling.problem}
        onRetry={() => void calling.run()}
        onStale={() => {
          calling.clear();
          reload();
        }}
      />
      {isStopped && !calling.running && (
        <Message>You have stopped waiting. The call may have reached the API all the same.</Message>
      )}
      {isAsked && (
        <Dialog title={`Call ${tool.name}?`} onClose={() => setAsked(false)}>
          <p>
            It may destroy something that nothing brings back: it sends{' '}
            <code>
              {tool.method.toUpperCase()} {tool.path}
            </code>{' '}
            to {server.api_base_url}.
          </p>
          <div class="buttons">
            <Button
              kind="danger"
              onClick={() => {
                setAsked(false);
                void calling.run();
              }}
            >
              Call
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </div>
        </Dialog>
      )}
      {tried && (
        <TrialResult
          slug={server.slug}
          tool={tool.name}
          hasCredential={server.has_credential}
          atFields={draft.as === 'form' ? all.map(({ name }) => name) : []}
          {...tried}
        />
      )}
    </Form>
  );
};

/** Seconds since the call began. An API may take up to 25. */
const Elapsed = () => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>Calling…{seconds > 0 && ` ${seconds} s`}</>;
};

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
