import { isJson, type Json, jsonOf, listOf, parsed, textOrEmpty } from './json-values.ts';
import {
  errorText,
  type ModelChoice,
  type ModelForm,
  type ModelProtocol,
  type ModelRequest,
} from './protocols.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export class StreamFault extends Error {}

export interface AnswerStream {
  /**
   * @param bytes - next part of the body
   * @returns whether the answer is complete
   * @throws StreamFault
   */
  add(bytes: Uint8Array): boolean;
  /** Called at the end of the body. @throws StreamFault if the answer is incomplete */
  end(): ModelChoice;
}

/** Assembles streamed events to the answer that a request without streaming would get. */
interface Assembly {
  /** @returns text of the model in this event @throws StreamFault */
  add(event: Json): string;
  isWhole(): boolean;
  /** @param isDone - whether the stream sent its end marker; where something is missing, undefined is returned */
  answer(isDone: boolean): Json | undefined;
}

interface Form {
  request(request: ModelRequest): ModelRequest;
  assembly(): Assembly;
}

export const BROKEN_OFF = 'The answer of the model broke off.';
export const UNREADABLE = 'The model answered what nobody can read.';
/** Characters of one stream, hundreds of times a usual answer: protects the browser's memory. */
const MOST_CHARACTERS = 4_000_000;
/** OpenAI's end marker, in place of an event. */
const DONE = '[DONE]';
const MOST_CALLS = 128;
const MOST_REASON = 40;

/**
 * Parses an answer while its bytes arrive.
 * @param key - removed from messages of faults
 * @param onText - called with the model's text, even if the answer turns out incomplete
 */
export const answerStream = (
  { form, choiceIn }: ModelProtocol,
  key: string,
  onText: (text: string) => void,
): AnswerStream => {
  const assembly = FORMS[form].assembly();
  const decoder = new TextDecoder();
  const events = eventLines();
  let characters = 0;
  let isDone = false;
  return {
    add: (bytes) => {
      const piece = decoder.decode(bytes, { stream: true });
      characters += piece.length;
      if (characters > MOST_CHARACTERS) throw new StreamFault(UNREADABLE);
      for (const data of events(piece)) {
        if (data === DONE) isDone = true;
        if (isDone || assembly.isWhole()) return true;
        const text = assembly.add(eventIn(data, key));
        if (text !== '') onText(text);
      }
      return assembly.isWhole();
    },
    end: () => {
      const answer = assembly.answer(isDone);
      if (!answer) throw new StreamFault(BROKEN_OFF);
      const choice = choiceIn(answer);
      if (!choice) throw new StreamFault(UNREADABLE);
      return choice;
    },
  };
};

/** Turns a request into one for a streamed answer. */
export const streamed = ({ form }: ModelProtocol, request: ModelRequest): ModelRequest =>
  FORMS[form].request(request);

/**
 * Parses server-sent events from pieces of text, and returns their data. An unterminated event is ignored.
 * Source: HTML, "Server-sent events", "Interpreting an event stream".
 */
const eventLines = (): ((piece: string) => readonly string[]) => {
  let line = '';
  let data: string[] = [];
  let isAfterReturn = false;
  return (piece) => {
    if (piece === '') return [];
    // CR and LF of one line end may be in different pieces.
    const text = isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    isAfterReturn = piece.endsWith('\r');
    const found: string[] = [];
    const [first = '', ...others] = text.split(/\r\n|[\r\n]/);
    line += first;
    for (const next of others) {
      if (line === '' && data.length > 0) {
        found.push(data.join('\n'));
        data = [];
      }
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      line = next;
    }
    return found;
  };
};

const eventIn = (data: string, key: string): Json => {
  let sent: unknown;
  try {
    sent = parsedJson(data);
  } catch {
    throw new StreamFault(UNREADABLE);
  }
  if (!isJson(sent)) throw new StreamFault(UNREADABLE);
  const { error } = sent;
  if (error !== undefined && error !== null) throw saidFault(errorText(error, key));
  return sent;
};

const saidFault = (said: string): StreamFault =>
  new StreamFault(said === '' ? BROKEN_OFF : `${BROKEN_OFF} The vendor says: ${said}`);

/** Source: Anthropic API reference, "Streaming messages". */
const anthropic = (): Assembly => {
  const blocks = new Map<number, Json>();
  const inputs = new Map<number, string>();
  let usage: Json | undefined;
  let isWhole = false;
  const grow = (at: number, member: string, by: string): void => {
    const block = blocks.get(at);
    if (!block) throw new StreamFault(UNREADABLE);
    blocks.set(at, { ...block, [member]: textOrEmpty(block[member]) + by });
  };
  return {
    add: ({ type, index, message, content_block: block, delta: sent, usage: used }) => {
      const at = typeof index === 'number' ? index : -1;
      const delta = jsonOf(sent);
      if (type === 'message_start') usage = numbersIn(jsonOf(message)['usage']);
      if (type === 'message_delta') usage = { ...usage, ...numbersIn(used) };
      if (type === 'message_stop') isWhole = true;
      if (type === 'content_block_start') {
        if (!isJson(block)) throw new StreamFault(UNREADABLE);
        blocks.set(at, block);
        return textOrEmpty(block['text']);
      }
      if (type !== 'content_block_delta') return '';
      if (delta['type'] === 'input_json_delta') {
        inputs.set(at, (inputs.get(at) ?? '') + textOrEmpty(delta['partial_json']));
      }
      for (const member of ['text', 'thinking', 'signature'] as const) {
        if (delta['type'] === `${member}_delta`) grow(at, member, textOrEmpty(delta[member]));
      }
      return delta['type'] === 'text_delta' ? textOrEmpty(delta['text']) : '';
    },
    isWhole: () => isWhole,
    answer: () => {
      if (!isWhole || !usage) return undefined;
      const content = [...blocks]
        .toSorted(([one], [other]) => one - other)
        .map(([at, block]) => {
          const input = inputs.get(at);
          return input === undefined ? block : { ...block, input: parsed(input) };
        })
        // The API refuses empty text blocks when they are sent back.
        .filter(({ type, text }) => type !== 'text' || text !== '');
      return { content, usage };
    },
  };
};

interface BegunCall {
  readonly at: unknown;
  id: string;
  name: string;
  text: string;
}

/** Source: OpenAI API reference, "Chat completions", "Streaming". */
const openai = (): Assembly => {
  let content = '';
  let refusal = '';
  const calls: BegunCall[] = [];
  let usage: Json = {};
  let isBegun = false;
  let isFinished = false;
  const addCall = (sent: Json): void => {
    const { name, arguments: text } = jsonOf(sent['function']);
    const at = sent['index'];
    const id = textOrEmpty(sent['id']);
    const last = calls.findLast((one) => at === undefined || one.at === at);
    // Some hosts send complete calls that all have the same index or none.
    if (!last || (id !== '' && last.id !== '' && id !== last.id)) {
      if (calls.length === MOST_CALLS) throw new StreamFault(UNREADABLE);
      calls.push({ at, id, name: textOrEmpty(name), text: textOrEmpty(text) });
      return;
    }
    last.id ||= id;
    last.name ||= textOrEmpty(name);
    last.text += textOrEmpty(text);
  };
  return {
    add: ({ choices, usage: used }) => {
      if (isJson(used)) usage = used;
      const [choice = {}] = listOf(choices);
      if (isJson(choice['delta'])) isBegun = true;
      if (textOrEmpty(choice['finish_reason']) !== '') isFinished = true;
      const delta = jsonOf(choice['delta']);
      for (const one of listOf(delta['tool_calls'])) addCall(one);
      const said = textOrEmpty(delta['content']);
      const refused = textOrEmpty(delta['refusal']);
      content += said;
      refusal += refused;
      return said + refused;
    },
    // Token counts follow the event with `finish_reason`.
    isWhole: () => false,
    answer: (isDone) => {
      if (!isBegun || !(isFinished || isDone)) return undefined;
      const message = {
        role: 'assistant',
        content: content === '' && calls.length > 0 ? null : content,
        ...(refusal !== '' && { refusal }),
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, name, text }) => ({
            id,
            type: 'function',
            function: { name, arguments: text },
          })),
        }),
      };
      return { choices: [{ message }], usage };
    },
  };
};

/** Source: Gemini API reference, "models.streamGenerateContent". */
const google = (): Assembly => {
  const parts: Json[] = [];
  let usageMetadata: Json = {};
  let isFinished = false;
  return {
    add: ({ candidates, usageMetadata: used, promptFeedback }) => {
      if (isJson(used)) usageMetadata = used;
      const blocked = textOrEmpty(jsonOf(promptFeedback)['blockReason']);
      if (blocked !== '') throw saidFault(`it is blocked (${blocked.slice(0, MOST_REASON)})`);
      const candidate = jsonOf(listOf(candidates)[0]);
      if (textOrEmpty(candidate['finishReason']) !== '') isFinished = true;
      const come = listOf(jsonOf(candidate['content'])['parts']).filter(isSomething);
      parts.push(...come);
      return come.map(({ text }) => textOrEmpty(text)).join('');
    },
    isWhole: () => false,
    // Parts are not merged: each may have a signature of its own.
    answer: () =>
      isFinished ? { candidates: [{ content: { parts } }], usageMetadata } : undefined,
  };
};

/** Many streams end with an empty text, which the API refuses when it is sent back. */
const isSomething = (part: Json): boolean => part['text'] !== '' || Object.keys(part).length > 1;

const FORMS: Readonly<Record<ModelForm, Form>> = {
  anthropic: {
    request: ({ body, ...same }) => ({ ...same, body: { ...body, stream: true } }),
    assembly: anthropic,
  },
  openai: {
    request: ({ body, ...same }) => ({
      ...same,
      body: { ...body, stream: true, stream_options: { include_usage: true } },
    }),
    assembly: openai,
  },
  google: {
    request: ({ path, ...same }) => ({
      ...same,
      path: `${path.replace(/:generateContent$/, ':streamGenerateContent')}?alt=sse`,
    }),
    assembly: google,
  },
};

const numbersIn = (value: unknown): Json =>
  Object.fromEntries(Object.entries(jsonOf(value)).filter(([, one]) => typeof one === 'number'));
