import { useEffect, useRef, useState } from 'preact/hooks';
import { casesFile } from '../../../../../layers/openapi/model-apis/cases.ts';
import type { ModelProtocol } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { call } from '../../../api/call.ts';
import type { PageProps } from '../../../page.ts';
import { Button, Link } from '../../../kit/button.tsx';
import { CodeBlock } from '../../../kit/copy.tsx';
import { Form, TextArea } from '../../../kit/form.tsx';
import { Badge, Message, Note, ProblemNote, Show } from '../../../kit/show.tsx';
import { numbered } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { keepCase } from '../cases/keep-case.ts';
import { useServer } from '../frame.tsx';
import { ModelFields, Used, useModel } from '../model/model-fields.tsx';
import { OfVendor, Vendors } from '../model/vendors.tsx';
import { offeredBy, type Served, useOffered } from '../model/offered.ts';
import { chosenFor, type Shown, type ShownCall, useTalk } from './use-talk.ts';

/** A talk with a model that uses the server's tools. Without a vendor, the choice of one. */
export const Page = ({ params: { vendor } }: PageProps) => {
  const { server } = useServer();
  const offered = useOffered(server);
  return (
    <OfVendor vendor={vendor} none={<Choose slug={server.slug} />}>
      {(protocol) => (
        <Show loaded={offered}>
          {(served) => <Talk {...{ served, protocol }} onRenewed={offered.put} />}
        </Show>
      )}
    </OfVendor>
  );
};

const Choose = ({ slug }: { readonly slug: string }) => (
  <>
    <h2>Talk with a model</h2>
    <p>
      Ask as your users would. You see which tools a model chooses, with which arguments, and what
      it makes of the answers.
    </p>
    <p>Choose a model provider. You need a key of your own there.</p>
    <Vendors of={`/servers/${slug}/talk`} />
  </>
);

const Talk = ({
  served,
  protocol,
  onRenewed,
}: {
  readonly served: Served;
  readonly protocol: ModelProtocol;
  readonly onRenewed: (served: Served) => void;
}) => {
  const { slug, put } = useServer();
  const renew = async (): Promise<Served> => {
    const answered = await call('GET /deployments/{slug}', { path: { slug } });
    const now = await offeredBy(answered.body);
    put(answered);
    onRenewed(now);
    return now;
  };
  const { model, key, price, isReady, fields } = useModel();
  const [wish, setWish] = useState('');
  const talk = useTalk({ protocol, slug, served, renew });
  const choices = talk.shown.filter((one) => one.kind === 'choice');
  const list = useRef<HTMLUListElement>(null);
  // Scrolls to the latest message, or to a call that the person has to allow.
  useEffect(() => {
    const asked = list.current?.querySelector('.asks');
    (asked ?? list.current?.lastElementChild)?.scrollIntoView({ block: 'nearest' });
  }, [talk.shown]);
  const sum = (of: 'inputTokens' | 'outputTokens') =>
    choices.reduce((total, one) => total + one[of], 0);
  const [sent, received] = [sum('inputTokens'), sum('outputTokens')];
  return (
    <>
      <h2>Talk with a model of {protocol.name}</h2>
      <Note>
        Your key stays in this page and is gone with it. This browser sends your key, your
        questions, the tools and their answers to <code>{new URL(protocol.url).host}</code>. This
        page can reach no other host. Calls are real: they carry the credential of this server. You
        are asked before a call that may change something. No call is made after the server has
        changed.
      </Note>
      <ModelFields of={fields} />
      <ul class="plain talk" aria-live="polite" ref={list}>
        {talk.shown.map((one, index) =>
          one.kind === 'wish' ? (
            <Wish
              key={index}
              text={one.text}
              chosen={chosenFor(served, talk.shown.slice(index + 1))}
            />
          ) : one.kind === 'change' ? (
            <Changed key={index} />
          ) : (
            <Choice key={index} of={one} onAllow={talk.allow} />
          ),
        )}
      </ul>
      {talk.coming !== '' && (
        <section class="panel" aria-label="What the model is saying">
          <h3 class="small soft">
            The model {talk.fault !== undefined && <Badge kind="bad">Broke off</Badge>}
          </h3>
          <p class="talk-text">{talk.coming}</p>
        </section>
      )}
      {talk.running && <p class="soft">Waiting…</p>}
      {talk.fault !== undefined && (
        <Message kind="bad">
          {talk.fault} Nothing of the talk is lost.{' '}
          <Button onClick={() => void talk.goOn(model, key)}>Send it again</Button>
        </Message>
      )}
      {talk.isPaused && (
        <Message>
          The model has gone on for 12 steps without an end.{' '}
          <Button onClick={() => void talk.goOn(model, key)}>Let it go on</Button>
        </Message>
      )}
      <Form
        onSubmit={() => {
          if (!isReady || talk.running || wish.trim() === '') return;
          setWish('');
          void talk.ask(wish.trim(), model, key);
        }}
      >
        <TextArea label="What you would ask for" rows={3} value={wish} onValue={setWish} />
        <div class="buttons">
          <Button
            kind="primary"
            submit
            disabled={!isReady || talk.running || talk.fault !== undefined || wish.trim() === ''}
          >
            Ask
          </Button>
          <Button kind="quiet" disabled={talk.running} onClick={talk.restart}>
            New chat
          </Button>
        </div>
      </Form>
      {choices.length > 0 && <Used {...{ sent, received, price }} />}
    </>
  );
};

const Wish = ({
  text,
  chosen,
}: {
  readonly text: string;
  readonly chosen: ReturnType<typeof chosenFor>;
}) => {
  const { slug } = useServer();
  const one = chosen && { wish: text, ...chosen };
  const [isKept, setKept] = useState(false);
  const keeping = useAction(async () => {
    if (one) await keepCase(slug, one);
    setKept(true);
  });
  return (
    <li class="panel">
      <h3 class="small soft">You</h3>
      <p class="talk-text">{text}</p>
      {one && (
        <>
          {isKept ? (
            <Message kind="good">
              Kept among the <Link to={`/servers/${slug}/cases`}>cases</Link>: this choice is right.
            </Message>
          ) : (
            <Button kind="quiet" action={keeping}>
              Keep as a case
            </Button>
          )}
          <ProblemNote problem={keeping.problem} />
          <details>
            <summary>The case as a file</summary>
            <CodeBlock label="The case" text={casesFile(slug, [one])} />
          </details>
        </>
      )}
    </li>
  );
};

const Choice = ({
  of: { text, calls, inputTokens, outputTokens },
  onAllow,
}: {
  readonly of: Extract<Shown, { kind: 'choice' }>;
  readonly onAllow: (isAllowed: boolean) => void;
}) => (
  <li class="panel">
    <h3 class="small soft">The model</h3>
    {text !== '' && <p class="talk-text">{text}</p>}
    {text === '' && calls.length === 0 && <p class="soft">It said nothing.</p>}
    {calls.map((one, index) => (
      <Call key={index} of={one} onAllow={onAllow} />
    ))}
    <p class="small soft">
      {numbered(inputTokens)} tokens in, {numbered(outputTokens)} out
    </p>
  </li>
);

const Changed = () => (
  <li>
    <Message kind="warn">
      The server has changed since this page read it, so that the call was not made. Its tools are
      read again, and the model is shown them from here on.
    </Message>
  </li>
);

const STATES: Readonly<
  Record<ShownCall['state'], readonly [text: string, kind: 'good' | 'warn' | 'bad' | 'plain']>
> = {
  unknown: ['There is no such tool', 'bad'],
  waiting: ['Waits for you', 'warn'],
  calling: ['Calling…', 'plain'],
  refused: ['Not called', 'warn'],
  outdated: ['Not called: the server has changed', 'warn'],
  answered: ['Answered', 'good'],
};

const Call = ({
  of: { tool, arguments: given, state, operation, result },
  onAllow,
}: {
  readonly of: ShownCall;
  readonly onAllow: (isAllowed: boolean) => void;
}) => {
  const [text, kind] = result?.isError === true ? (['Failed', 'bad'] as const) : STATES[state];
  return (
    <div role="group" aria-label={`Call of ${tool}`}>
      <p class="row">
        <code>{tool}</code> <Badge kind={kind}>{text}</Badge>
      </p>
      <pre>{JSON.stringify(given, null, 2)}</pre>
      {state === 'waiting' && (
        <p class="small">
          {operation ? (
            <>
              It sends{' '}
              <code>
                {operation.method.toUpperCase()} {operation.path}
              </code>
              .
            </>
          ) : (
            'This page knows no operation of this name, and so not what it does.'
          )}
        </p>
      )}
      {state === 'waiting' && (
        <div class="buttons asks">
          <Button kind="danger" onClick={() => onAllow(true)}>
            Call it
          </Button>
          <Button onClick={() => onAllow(false)}>Skip</Button>
        </div>
      )}
      {result && (
        <details>
          <summary>What the model is told of it</summary>
          <pre>{result.text}</pre>
        </details>
      )}
    </div>
  );
};
