import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button, Link } from '../../../kit/button.tsx';
import { CodeBlock, Command, quoted } from '../../../kit/copy.tsx';
import { PHRASES, plain } from '../../../kit/plain-words.ts';
import { saveAs } from '../../../kit/save-as.ts';
import { Badge } from '../../../kit/show.tsx';
import { bytes, count, duration, indented } from '../../../kit/words.ts';
import { reasonOf } from '../activity/reasons.ts';
import { faultsOf } from './tool-arguments.ts';

type Trial = AnswerOf<'POST /deployments/{slug}/tools/{name}/test'>;

interface TrialResultProps {
  readonly slug: string;
  readonly tool: string;
  readonly hasCredential: boolean;
  readonly sent: object;
  readonly atFields: readonly string[];
  readonly trial: Trial;
}

export const TrialResult = ({
  slug,
  tool,
  hasCredential,
  sent,
  atFields,
  trial,
}: TrialResultProps) => {
  const { result, error, request, answer, answer_fields: fields, duration_ms: took } = trial;
  const isRefused = error?.code === 'invalid_params';
  const all = Object.entries(faultsOf(error?.data));
  const faults =
    all.length === 0 && isRefused
      ? [['', plain(error.message)] as const]
      : all.filter(([name]) => !atFields.includes(name));
  const why = (error?.data as { readonly reason?: unknown } | undefined)?.reason;
  const reason = typeof why === 'string' ? reasonOf(why) : undefined;
  return (
    <div class="panel" role="status">
      <p class="row">
        {isRefused ? (
          <Badge kind="warn">Not sent: arguments are missing or wrong</Badge>
        ) : error ? (
          <Badge kind="bad">No response</Badge>
        ) : result?.isError === true ? (
          <Badge kind="warn">API error</Badge>
        ) : (
          <Badge kind="good">Success</Badge>
        )}
        {answer && <Badge>{statusText(answer.status)}</Badge>}
        <span class="soft">
          in {duration(took)}
          {answer &&
            ` · ${bytes(answer.bytes)}, about ${count(answer.tokens, 'token')} for a model`}
        </span>
      </p>
      {error && !isRefused && (
        <p>
          <strong>{reason === undefined ? plain(error.message) : reason.text}</strong>{' '}
          {reason?.advice}{' '}
          {reason?.remedy && (
            <Link to={`/servers/${slug}/${reason.remedy[0]}`}>{reason.remedy[1]}</Link>
          )}
        </p>
      )}
      {answer && [401, 403].includes(answer.status) && (
        <p>
          {hasCredential ? (
            <>
              The API refuses the credential, or what it may do.{' '}
              <Link to={`/servers/${slug}/credentials`}>Look at the credential</Link>
            </>
          ) : (
            <>
              The API wants a credential, or does not allow this call. The server has none:{' '}
              <Link to={`/servers/${slug}/credentials`}>set it under Credentials</Link>
            </>
          )}
        </p>
      )}
      {isRefused && (
        <ul class="findings">
          {faults.map(([name, text]) => (
            <li key={name}>
              {name !== '' && <code>{name}</code>} {text}
            </li>
          ))}
          {faults.length === 0 && <li>See the fields above: nothing was sent.</li>}
        </ul>
      )}
      {result?.content.map((block, index) =>
        isNoteForModels(block) ? (
          <p key={index} class="small soft of-api">
            A model that calls the tool for somebody is also told: {block.text}
          </p>
        ) : (
          <AnswerPart key={index} block={block} />
        ),
      )}
      {answer && Object.keys(answer.headers).length > 0 && (
        <details>
          <summary>Headers of the answer</summary>
          <CodeBlock
            text={Object.entries(answer.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
            label="Headers, secrets masked"
          />
        </details>
      )}
      {fields && (
        <>
          <p>
            The chosen members take {bytes(fields.chosen.bytes)}, about{' '}
            {count(fields.chosen.tokens, 'token')}. The whole answer takes{' '}
            {bytes(fields.whole.bytes)}, about {count(fields.whole.tokens, 'token')}.
          </p>
          {fields.missing.length > 0 && (
            <p>
              <Badge kind="warn">not in this answer</Badge> {fields.missing.join(', ')}
            </p>
          )}
          <details>
            <summary>The whole answer</summary>
            <AnswerPart block={{ type: 'text', text: fields.whole.text }} />
          </details>
        </>
      )}
      {request && (
        <>
          <h3>What was sent</h3>
          <CodeBlock text={messageOf(request)} label="The request, secrets masked" />
          <details class="command">
            <summary>The same with curl</summary>
            <CodeBlock text={curlOf(request)} label="curl" />
          </details>
        </>
      )}
      <Command
        lines={[
          `npx --no-install hosted-mcp call ${slug} ${tool}`,
          ...Object.entries(sent).map(([name, value]) =>
            typeof value === 'string'
              ? `--arg ${quoted(`${name}=${value}`)}`
              : `--arg-json ${quoted(`${name}=${JSON.stringify(value)}`)}`,
          ),
        ].join(' ')}
      />
    </div>
  );
};

const statusText = (status: number): string => `${status} ${PHRASES[status] ?? ''}`.trim();

type Sent = NonNullable<Trial['request']>;

const messageOf = ({ method, url, headers, body }: Sent): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n');

const curlOf = ({ method, url, headers, body }: Sent): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');

type Block = Readonly<Record<string, unknown>>;

/** Image types that a page shows without running anything in them. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;

const SOUNDS = /^audio\/(?:mpeg|mp3|mp4|aac|ogg|opus|wav|x-wav|wave|vnd\.wave|webm|flac|x-flac)$/;

/** A part of a result: text, picture, sound, or a file to be saved. Source: MCP 2025-06-18, "Tools", "Tool Result". */
const AnswerPart = ({ block }: { readonly block: Block }) => {
  const { type, text, data, mimeType, uri, name } = block;
  if (type === 'text' && typeof text === 'string') return <Text text={text} />;
  if (typeof data === 'string') return <Bytes data={data} mediaType={textIn(mimeType)} />;
  if (type === 'resource_link' && typeof uri === 'string') {
    return (
      <p>
        {typeof name === 'string' && <strong>{name} </strong>}
        {uri.startsWith('https://') ? (
          <a href={uri} rel="noreferrer" target="_blank">
            {uri}
          </a>
        ) : (
          <code>{uri}</code>
        )}
      </p>
    );
  }
  const { resource } = block;
  if (type === 'resource' && typeof resource === 'object' && resource !== null) {
    const inner = resource as Block;
    if (typeof inner['text'] === 'string') return <Text text={inner['text']} />;
    if (typeof inner['blob'] === 'string') {
      return <Bytes data={inner['blob']} mediaType={textIn(inner['mimeType'])} />;
    }
  }
  return <Text text={JSON.stringify(block)} />;
};

/** A note that the service adds to answers for models, whose users may not own the server. */
const isNoteForModels = ({ type, text }: Block): boolean =>
  type === 'text' && typeof text === 'string' && text.startsWith('[The target API ');

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const Text = ({ text }: { readonly text: string }) => (
  <pre
    class={`scrolled answer${text.includes('\n') ? '' : ' wrapped'}`}
    tabIndex={0}
    aria-label="Answer"
  >
    <code>{indented(text)}</code>
  </pre>
);

const Bytes = ({ data, mediaType }: { readonly data: string; readonly mediaType: string }) => {
  const size =
    Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  const [type = ''] = mediaType.toLowerCase().split(';');
  return (
    <figure class="answer-part">
      {PICTURES.test(type) && (
        <img src={`data:${type};base64,${data}`} alt="The picture that the API answered with" />
      )}
      {SOUNDS.test(type) && <Sound key={data} data={data} type={type} />}
      <figcaption class="row">
        <span class="soft small">
          {mediaType === '' ? 'A file' : mediaType}, {bytes(size)}
        </span>
        <Button onClick={() => saveAs(`answer.${endingOf(type)}`, fileOf(data))}>Save it</Button>
      </figcaption>
    </figure>
  );
};

/** Plays a sound from memory, which is freed with the answer. */
const Sound = ({ data, type }: { readonly data: string; readonly type: string }) => {
  const [source, setSource] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([bytesOf(data)], { type }));
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [data, type]);
  if (isBroken) return <p class="soft small">This browser cannot play it: save it instead.</p>;
  return (
    <audio
      controls
      src={source}
      aria-label="The sound that the API answered with"
      onError={() => setBroken(true)}
    />
  );
};

/** Saved as plain bytes, whatever its media type: a browser would run HTML in the console's origin. */
const fileOf = (data: string): Blob =>
  new Blob([bytesOf(data)], { type: 'application/octet-stream' });

const bytesOf = (data: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(data), (one) => one.charCodeAt(0));

const endingOf = (type: string): string => {
  const [, ending = 'bin'] = /^[a-z]+\/([a-z0-9]+)/.exec(type) ?? [];
  return ending === 'octet' ? 'bin' : ending;
};
