import {
  type CallResult,
  isKeyRefused,
  type ModelCall,
  type ModelChoice,
  type ModelProtocol,
  refusalIn,
  type RequestTerms,
} from '../../../layers/openapi/model-apis/protocols.ts';
import { call } from './call.ts';
import { asProblem } from './problem.ts';

/** A model that gave no answer. The message is for people, and never has the key. */
export class NoChoice extends Error {
  readonly isKeyRefused: boolean;
  /** Whether the vendor may answer a moment later. */
  readonly isBusy: boolean;

  /** @param status - of the vendor's answer; 0 where there is none */
  constructor(message: string, status = 0) {
    super(message);
    this.isKeyRefused = isKeyRefused(status);
    this.isBusy = status === 429 || status >= 500;
  }
}

const NOT_REACHED =
  'The vendor cannot be reached from this browser. The network may be away, or something in between refuses it.';

/** What a model does next, asked by this browser. @throws NoChoice */
export const choiceOf = async (
  protocol: ModelProtocol,
  terms: RequestTerms,
  signal: AbortSignal,
): Promise<ModelChoice> => {
  const { path, headers, body } = protocol.request(terms);
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
  const read: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw new NoChoice(refusalIn(answer.status, read, terms.key), answer.status);
  const choice =
    typeof read === 'object' && read !== null
      ? protocol.choiceIn(read as Readonly<Record<string, unknown>>)
      : undefined;
  if (!choice) throw new NoChoice('The model answered what nobody can read.');
  return choice;
};

/** Characters of an answer; a model reads no more of it either. */
const MOST_ANSWER = 100_000;

/** Calls a tool as its owner tries it. What goes wrong is a result as well: the model is told. */
export const resultOf = async (
  slug: string,
  asked: ModelCall,
  signal: AbortSignal,
): Promise<CallResult> => {
  const { tool: name, arguments: given } = asked;
  try {
    const { body } = await call('POST /deployments/{slug}/tools/{name}/test', {
      path: { slug, name },
      body: { arguments: given },
      signal,
    });
    const { result, error } = body;
    if (error) return { call: asked, text: error.message, isError: true };
    return { call: asked, text: textIn(result), isError: isErrorIn(result) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { call: asked, text: `The call failed: ${asProblem(error).message}`, isError: true };
  }
};

const textIn = (result: unknown): string => {
  const { content } = (result ?? {}) as { readonly content?: unknown };
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return parts
    .map((part) => {
      const { type, text } = part as { readonly type?: unknown; readonly text?: unknown };
      return typeof text === 'string' ? text : `[${String(type)}]`;
    })
    .join('\n')
    .slice(0, MOST_ANSWER);
};

const isErrorIn = (result: unknown): boolean =>
  (result as { readonly isError?: unknown } | undefined)?.isError === true;
