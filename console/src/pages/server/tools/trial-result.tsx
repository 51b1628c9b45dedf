import type { AnswerOf } from '../../../api/operation.ts';
import { CodeBlock, Command, quoted } from '../../../kit/copy.tsx';
import { Badge } from '../../../kit/show.tsx';
import { Link } from '../../../kit/link.tsx';
import { plain } from '../../../kit/plain-words.ts';
import { bytes, count, duration } from '../../../kit/words.ts';
import { reasonOf } from '../activity/reasons.ts';
import { AnswerPart } from './answer-part.tsx';
import { faultsOf } from './tool-arguments.ts';

type Trial = AnswerOf<'POST /deployments/{slug}/tools/{name}/test'>;

interface TrialResultProps {
  readonly slug: string;
  readonly tool: string;
  readonly sent: object;
  /** Arguments whose fields say themselves what is wrong with them. */
  readonly atFields: readonly string[];
  readonly trial: Trial;
}

/** What came, how long it took, what was sent for it with secrets masked, and how to do it elsewhere. */
export const TrialResult = ({ slug, tool, sent, atFields, trial }: TrialResultProps) => {
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
        <span class="soft">in {duration(took)}</span>
        {answer && (
          <span class="soft">
            · {bytes(answer.bytes)}, about {count(answer.tokens, 'token')} for a model
          </span>
        )}
      </p>
      {error && !isRefused && (
        <p>
          <strong>{reason === undefined ? plain(error.message) : reason.text}</strong>{' '}
          {reason?.remedy && (
            <Link to={`/servers/${slug}/${reason.remedy[0]}`}>{reason.remedy[1]}</Link>
          )}
        </p>
      )}
      {answer && [401, 403].includes(answer.status) && (
        <p>
          The API refuses the credential, or what it may do.{' '}
          <Link to={`/servers/${slug}/credentials`}>Look at the credential</Link>
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
      {result?.content.map((block, index) => (
        <AnswerPart key={index} block={block} />
      ))}
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

/** The phrases that people know best. Source: RFC 9110, 15. */
const PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
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
