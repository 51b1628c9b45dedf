import { useState } from 'preact/hooks';
import {
  type ModelProtocol,
  PROTOCOLS,
} from '../../../../../layers/openapi/model-apis/protocols.ts';
import type { PageProps } from '../../../page.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { CodeBlock } from '../../../kit/copy.tsx';
import { Form, TextArea, TextField } from '../../../kit/form.tsx';
import { Badge, Empty, Message, Note, Show } from '../../../kit/show.tsx';
import { numbered } from '../../../kit/words.ts';
import { useList } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';
import type { Tool } from '../tools/tool.ts';
import { type Shown, type ShownCall, useTalk } from './use-talk.ts';

/** A talk with a model that uses the tools of the server. Without a vendor: the choice of one. */
export const Page = ({ params: { vendor } }: PageProps) => {
  const { server } = useServer();
  const { slug, version } = server;
  const protocol =
    vendor !== undefined && Object.hasOwn(PROTOCOLS, vendor) ? PROTOCOLS[vendor] : undefined;
  const tools = useList(`tools:${slug}:${version}`, 'GET /deployments/{slug}/tools', {
    path: { slug },
  });
  if (server.tool_mode === 'search') {
    return (
      <Empty title="This server is in search mode">
        <p>Its clients get three tools that find the others, which a talk does not have yet.</p>
      </Empty>
    );
  }
  if (!protocol) return <Vendors slug={slug} />;
  return (
    <Show loaded={tools}>
      {(all) => (tools.loading ? null : <Talk tools={all} protocol={protocol} />)}
    </Show>
  );
};

const Vendors = ({ slug }: { readonly slug: string }) => (
  <>
    <h2>Talk with a model</h2>
    <p>
      Ask as your users would, and see which tools a model chooses, with which arguments, and what
      it makes of the answers. Whose model shall it be? You need a key of your own there.
    </p>
    <p class="buttons">
      {Object.entries(PROTOCOLS).map(([vendor, { name }]) => (
        <ButtonLink key={vendor} to={`/servers/${slug}/talk/${vendor}`}>
          {name}
        </ButtonLink>
      ))}
    </p>
  </>
);

const Talk = ({
  tools,
  protocol,
}: {
  readonly tools: readonly Tool[];
  readonly protocol: ModelProtocol;
}) => {
  const { server } = useServer();
  const { slug, instructions } = server;
  const [model, setModel] = useState('');
  const [key, setKey] = useState('');
  const [price, setPrice] = useState('');
  const [wish, setWish] = useState('');
  const talk = useTalk({ protocol, slug, tools, instructions });
  const isReady = model.trim() !== '' && key.trim() !== '';
  const choices = talk.shown.filter((one) => one.kind === 'choice');
  const sum = (of: 'inputTokens' | 'outputTokens') =>
    choices.reduce((total, one) => total + one[of], 0);
  const [sent, received] = [sum('inputTokens'), sum('outputTokens')];
  const dollars = dollarsFor(price, sent, received);
  return (
    <>
      <h2>Talk with a model of {protocol.name}</h2>
      <Note>
        Your key stays in this page and is gone with it. This browser sends it, what you ask, the
        tools and what they answer to <code>{new URL(protocol.url).host}</code>, and this page can
        reach no other host. Calls are real: they carry the credential of this server. You are asked
        before one that may change something.
      </Note>
      <div class="columns three">
        <TextField
          label="Model"
          hint="As the vendor names it"
          value={model}
          onValue={setModel}
          autocomplete="off"
        />
        <TextField
          label="Your key"
          hint="Forgotten with this page"
          type="password"
          value={key}
          onValue={setKey}
          autocomplete="off"
        />
        <TextField
          label="Price"
          hint="If you like: dollars for a million tokens sent and received, as 3/15"
          value={price}
          onValue={setPrice}
          autocomplete="off"
        />
      </div>
      <ul class="plain talk" aria-live="polite">
        {talk.shown.map((one, index) =>
          one.kind === 'wish' ? (
            <Wish key={index} slug={slug} text={one.text} next={talk.shown[index + 1]} />
          ) : (
            <Choice key={index} of={one} onAllow={talk.allow} />
          ),
        )}
      </ul>
      {talk.running && <p class="soft">Waiting…</p>}
      {talk.fault !== undefined && (
        <Message kind="bad">
          {talk.fault} Nothing of the talk is lost.{' '}
          <Button onClick={() => void talk.goOn(model.trim(), key.trim())}>Send it again</Button>
        </Message>
      )}
      {talk.isPaused && (
        <Message>
          The model has gone on for 12 steps without an end.{' '}
          <Button onClick={() => void talk.goOn(model.trim(), key.trim())}>Let it go on</Button>
        </Message>
      )}
      <Form
        onSubmit={() => {
          if (!isReady || talk.running || wish.trim() === '') return;
          setWish('');
          void talk.ask(wish.trim(), model.trim(), key.trim());
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
            Begin anew
          </Button>
        </div>
      </Form>
      {choices.length > 0 && (
        <p class="small soft">
          {numbered(sent)} tokens were sent, {numbered(received)} came back.
          {dollars !== undefined && ` That is $${dollars.toFixed(4)}.`}
        </p>
      )}
    </>
  );
};

/** @param price - dollars for a million tokens sent and received, `3/15` @returns undefined for anything else */
const dollarsFor = (price: string, sent: number, received: number): number | undefined => {
  const [, forSent, forReceived] =
    /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(price.trim()) ?? [];
  if (forReceived === undefined) return undefined;
  return (sent * Number(forSent) + received * Number(forReceived)) / 1_000_000;
};

const Wish = ({
  slug,
  text,
  next,
}: {
  readonly slug: string;
  readonly text: string;
  readonly next: Shown | undefined;
}) => {
  const [isShown, setShown] = useState(false);
  const chosen = next?.kind === 'choice' ? next : undefined;
  return (
    <li class="panel">
      <h3 class="small soft">You</h3>
      <p class="talk-text">{text}</p>
      {chosen && !isShown && (
        <Button kind="quiet" onClick={() => setShown(true)}>
          Make a case of it
        </Button>
      )}
      {chosen && isShown && (
        <>
          <p class="small soft">
            For a file of <code>hosted-mcp eval</code>, if this choice is the right one:
          </p>
          <CodeBlock label="The case" text={caseOf(slug, text, chosen.calls[0])} />
        </>
      )}
    </li>
  );
};

/** A file of cases for `hosted-mcp eval`; JSON is YAML. */
const caseOf = (slug: string, wish: string, chosen: ShownCall | undefined): string =>
  [
    'version: 1',
    `server: ${slug}`,
    'cases:',
    `  - wish: ${JSON.stringify(wish)}`,
    `    tool: ${chosen ? JSON.stringify(chosen.tool) : 'null'}`,
    ...(chosen ? [`    arguments: ${JSON.stringify(chosen.arguments)}`] : []),
  ].join('\n');

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
    {calls.map((one, index) => (
      <Call key={index} of={one} onAllow={onAllow} />
    ))}
    <p class="small soft">
      {numbered(inputTokens)} tokens sent, {numbered(outputTokens)} came back
    </p>
  </li>
);

const STATES: Readonly<
  Record<ShownCall['state'], readonly [text: string, kind: 'good' | 'warn' | 'bad' | 'plain']>
> = {
  unknown: ['There is no such tool', 'bad'],
  waiting: ['Waits for you', 'warn'],
  calling: ['Calling…', 'plain'],
  refused: ['Not called', 'warn'],
  answered: ['Answered', 'good'],
};

const Call = ({
  of: { tool, arguments: given, state, result },
  onAllow,
}: {
  readonly of: ShownCall;
  readonly onAllow: (isAllowed: boolean) => void;
}) => {
  const [text, kind] = result?.isError === true ? (['Failed', 'bad'] as const) : STATES[state];
  return (
    <section aria-label={`Call of ${tool}`}>
      <p class="row">
        <code>{tool}</code> <Badge kind={kind}>{text}</Badge>
      </p>
      <pre>{JSON.stringify(given, null, 2)}</pre>
      {state === 'waiting' && (
        <div class="buttons">
          <Button kind="danger" onClick={() => onAllow(true)}>
            Call it
          </Button>
          <Button onClick={() => onAllow(false)}>Do not call it</Button>
        </div>
      )}
      {result && (
        <details>
          <summary>What the model is told of it</summary>
          <pre>{result.text}</pre>
        </details>
      )}
    </section>
  );
};
