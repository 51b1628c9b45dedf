import type { AnswerOf } from '../../../api/call.ts';
import { CodeBlock, Command, quoted } from '../../../kit/copy.tsx';
import { Badge } from '../../../kit/show.tsx';
import { bytes, count, duration } from '../../../kit/words.ts';

type Trial = AnswerOf<'testTool'>;

interface TrialResultProps {
  readonly slug: string;
  readonly tool: string;
  readonly sent: object;
  readonly trial: Trial;
}

/** What came, how long it took, what was sent for it with secrets masked, and how to do it elsewhere. */
export const TrialResult = ({ slug, tool, sent, trial }: TrialResultProps) => {
  const { result, error, request, answer_fields: fields, duration_ms: took } = trial;
  return (
    <div class="panel" role="status">
      <p class="row">
        {error ? (
          <Badge kind="bad">No response</Badge>
        ) : result?.isError === true ? (
          <Badge kind="warn">API error</Badge>
        ) : (
          <Badge kind="good">Success</Badge>
        )}
        <span class="soft">in {duration(took)}</span>
      </p>
      {error && (
        <p>
          <strong>{error.message}</strong> <span class="soft small">{error.code}</span>
        </p>
      )}
      {result?.content.map((block, index) => (
        <Content key={index} block={block} />
      ))}
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
            <Content block={{ type: 'text', text: fields.whole.text }} />
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
          `npx hosted-mcp call ${slug} ${tool}`,
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

const Content = ({ block }: { readonly block: Readonly<Record<string, unknown>> }) => {
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') {
    return (
      <pre class="scrolled answer" tabIndex={0} aria-label="Answer">
        <code>{indented(text)}</code>
      </pre>
    );
  }
  return <p class="soft">A part of type {String(type)}, which is not drawn here.</p>;
};

/** JSON is laid out; anything else stays as it came. */
const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

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
