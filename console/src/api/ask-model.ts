import { callResult } from '../../../layers/openapi/model-apis/call-result.ts';
import {
  type CallResult,
  isKeyRefused,
  type ModelCall,
  type ModelChoice,
  type ModelProtocol,
  type ModelRequest,
  refusalIn,
  type RequestTerms,
} from '../../../layers/openapi/model-apis/protocols.ts';
import {
  answerStream,
  BROKEN_OFF,
  streamed,
  StreamFault,
  UNREADABLE,
} from '../../../layers/openapi/model-apis/streams.ts';
import { call } from './call.ts';
import { asProblem } from './problem.ts';

/** The model gave no answer. The message is for people, and never contains the API key. */
export class NoChoice extends Error {
  readonly isKeyRefused: boolean;
  /** The vendor is overloaded (429 or 5xx): the same request may succeed later. */
  readonly isBusy: boolean;

  /** @param status - HTTP status of the vendor's answer; 0 if none came */
  constructor(message: string, status = 0) {
    super(message);
    this.isKeyRefused = isKeyRefused(status);
    this.isBusy = status === 429 || status >= 500;
  }
}

const NOT_REACHED =
  'The vendor cannot be reached from this browser. The network may be away, or something in between refuses it.';

/** Asks a model for its next step, from this browser. @throws NoChoice */
export const choiceOf = async (
  protocol: ModelProtocol,
  terms: RequestTerms,
  signal: AbortSignal,
): Promise<ModelChoice> => {
  const answer = await asked(protocol, protocol.request(terms), terms.key, signal);
  return choiceAtOnce(protocol, answer);
};

/** `choiceOf` with a streamed answer, whose text goes to `onText`. @throws NoChoice, also after a part has come */
export const streamedChoiceOf = async (
  protocol: ModelProtocol,
  terms: RequestTerms,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ModelChoice> => {
  const request = streamed(protocol, protocol.request(terms));
  const answer = await asked(protocol, request, terms.key, signal);
  const isStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
  // Some hosts do not stream and answer with JSON.
  if (!isStream || !answer.body) return choiceAtOnce(protocol, answer);
  const reader = answer.body.getReader();
  const stream = answerStream(protocol, terms.key, onText);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal.aborted ? error : new NoChoice(BROKEN_OFF);
      });
      if (done) return stream.end();
      if (stream.add(value)) return stream.end();
    }
  } catch (error) {
    throw error instanceof StreamFault ? new NoChoice(error.message) : error;
  } finally {
    // The answer is complete or unreadable: the rest of the stream is not needed.
    reader.cancel().catch(() => undefined);
  }
};

/** Sends a request to the vendor. @throws NoChoice if it refuses or cannot be reached */
const asked = async (
  protocol: ModelProtocol,
  { path, headers, body }: ModelRequest,
  key: string,
  signal: AbortSignal,
): Promise<Response> => {
  const answer = await fetch(`${protocol.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...protocol.browserHeaders },
    body: JSON.stringify(body),
    credentials: 'omit',
    redirect: 'error',
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : new NoChoice(NOT_REACHED);
  });
  if (answer.ok) return answer;
  const said: unknown = await answer.json().catch(() => undefined);
  throw new NoChoice(refusalIn(answer.status, said, key), answer.status);
};

const choiceAtOnce = async (protocol: ModelProtocol, answer: Response): Promise<ModelChoice> => {
  const read: unknown = await answer.json().catch(() => undefined);
  const choice =
    typeof read === 'object' && read !== null
      ? protocol.choiceIn(read as Readonly<Record<string, unknown>>)
      : undefined;
  if (!choice) throw new NoChoice(UNREADABLE);
  return choice;
};

interface Tried {
  readonly slug: string;
  /** The tool belongs to search mode: it finds or calls other tools. */
  readonly isSearch: boolean;
  /** ETag of the server whose tools the model was shown. */
  readonly etag: string;
}

/** Calls a tool as a trial of its owner. @throws Problem; code `stale` if the server is not the one of `etag` */
export const triedBy = async (
  { slug, isSearch, etag }: Tried,
  asked: ModelCall,
  signal: AbortSignal,
): Promise<CallResult> => {
  const { tool: name, arguments: given } = asked;
  const { body } = await call('POST /deployments/{slug}/tools/{name}/test', {
    path: { slug, name },
    body: { arguments: given, ...(isSearch && { search: true }) },
    ifMatch: etag,
    signal,
  });
  return callResult(asked, body);
};

/** Like `triedBy`, with failures as results that the model reads. @returns undefined if the server has changed */
export const resultOf = async (
  tried: Tried,
  asked: ModelCall,
  signal: AbortSignal,
): Promise<CallResult | undefined> => {
  try {
    return await triedBy(tried, asked, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    if (asProblem(error).code === 'stale') return undefined;
    return { call: asked, text: `The call failed: ${asProblem(error).message}`, isError: true };
  }
};
