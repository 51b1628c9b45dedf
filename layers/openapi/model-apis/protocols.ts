import { isJson, type Json, jsonOf, listOf, numberOf, parsed, textOrEmpty } from './json-values.ts';

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

export interface ModelChoice {
  /** Tools that the model calls, in order; empty if it only answers in text. */
  readonly calls: readonly ModelCall[];
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The model's message in the vendor's format, which has to be sent back with the next turn. */
  readonly said: Json;
}

export interface ModelCall {
  /** Id of the call, for its result; empty where the vendor matches results by order. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
}

export interface CallResult {
  readonly call: ModelCall;
  readonly text: string;
  readonly isError: boolean;
}

export type Turn =
  | { readonly wish: string }
  | { readonly said: Json }
  | { readonly results: readonly CallResult[] };

/** The vendor's protocol, which other hosts may speak too. */
export type ModelForm = 'anthropic' | 'openai' | 'google';

export interface ModelProtocol {
  readonly form: ModelForm;
  readonly name: string;
  /** Environment variables that may hold the key, in order of precedence. */
  readonly keys: readonly string[];
  readonly url: string;
  readonly browserHeaders: Readonly<Record<string, string>>;
  request(terms: RequestTerms): ModelRequest;
  /** @returns undefined if it is no answer in this protocol */
  choiceIn(answer: Json): ModelChoice | undefined;
}

export interface RequestTerms {
  readonly model: string;
  readonly key: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
  readonly instructions: string | undefined;
}

export interface ModelRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** An OpenAI-compatible host of models that is no vendor. */
export interface ModelHost {
  /** Name that stands in place of a vendor's. */
  readonly name: string;
  /** Base URL of the protocol without a trailing slash: `https://llm.example.com/v1`. */
  readonly url: string;
}

/** Enough for any call of a tool. */
const MOST_OUTPUT_TOKENS = 2048;

/** Source: Anthropic API reference, "Messages", "Tool use". */
const anthropic: ModelProtocol = {
  form: 'anthropic',
  name: 'Anthropic',
  keys: ['ANTHROPIC_API_KEY'],
  url: 'https://api.anthropic.com',
  browserHeaders: { 'anthropic-dangerous-direct-browser-access': 'true' },
  request: ({ model, key, turns, tools, instructions }) => ({
    path: '/v1/messages',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: {
      model,
      max_tokens: MOST_OUTPUT_TOKENS,
      ...(instructions !== undefined && { system: instructions }),
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
      messages: turns.map((turn) => {
        if ('wish' in turn) return { role: 'user', content: turn.wish };
        if ('said' in turn) return { role: 'assistant', content: turn.said['content'] };
        const content = turn.results.map(({ call: { id }, text, isError }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
          ...(isError && { is_error: true }),
        }));
        return { role: 'user', content };
      }),
    },
  }),
  choiceIn: ({ content, usage }) => {
    if (!Array.isArray(content)) return undefined;
    const parts = listOf(content);
    const { input_tokens: input, output_tokens: output } = jsonOf(usage);
    return {
      calls: parts
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input: given }) => ({
          id: textOrEmpty(id),
          tool: textOrEmpty(name),
          arguments: jsonOf(given),
        })),
      text: parts.map(({ text }) => textOrEmpty(text)).join(''),
      inputTokens: numberOf(input),
      outputTokens: numberOf(output),
      said: { content },
    };
  },
};

/** For OpenAI and compatible hosts. Source: OpenAI API reference, "Chat completions". */
const openai: ModelProtocol = {
  form: 'openai',
  name: 'OpenAI',
  keys: ['OPENAI_API_KEY'],
  url: 'https://api.openai.com',
  browserHeaders: {},
  request: ({ model, key, turns, tools, instructions }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: {
      model,
      messages: [
        ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
        ...turns.flatMap((turn): readonly Json[] => {
          if ('wish' in turn) return [{ role: 'user', content: turn.wish }];
          if ('said' in turn) return [turn.said];
          return turn.results.map(({ call: { id }, text }) => ({
            role: 'tool',
            tool_call_id: id,
            content: text,
          }));
        }),
      ],
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    },
  }),
  choiceIn: ({ choices, usage }) => {
    const message = listOf(choices)[0]?.['message'];
    if (!isJson(message)) return undefined;
    const { prompt_tokens: input, completion_tokens: output } = jsonOf(usage);
    return {
      calls: listOf(message['tool_calls']).map((call) => {
        const { name, arguments: text } = jsonOf(call['function']);
        return {
          id: textOrEmpty(call['id']),
          tool: textOrEmpty(name),
          arguments: parsed(textOrEmpty(text)),
        };
      }),
      text: textOrEmpty(message['content']) + textOrEmpty(message['refusal']),
      inputTokens: numberOf(input),
      outputTokens: numberOf(output),
      said: { ...message, role: 'assistant' },
    };
  },
};

/** Source: Gemini API reference, "models.generateContent", "Function calling". */
const google: ModelProtocol = {
  form: 'google',
  name: 'Google',
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  url: 'https://generativelanguage.googleapis.com',
  browserHeaders: {},
  request: ({ model, key, turns, tools, instructions }) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: {
      ...(instructions !== undefined && {
        systemInstruction: { parts: [{ text: instructions }] },
      }),
      contents: turns.map((turn) => {
        if ('wish' in turn) return { role: 'user', parts: [{ text: turn.wish }] };
        if ('said' in turn) return { role: 'model', parts: turn.said['parts'] };
        const parts = turn.results.map(({ call: { tool: name }, text, isError }) => ({
          functionResponse: { name, response: isError ? { error: text } : { output: text } },
        }));
        return { role: 'user', parts };
      }),
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            parametersJsonSchema: inputSchema,
          })),
        },
      ],
      generationConfig: { maxOutputTokens: MOST_OUTPUT_TOKENS },
    },
  }),
  choiceIn: ({ candidates, usageMetadata }) => {
    const content = listOf(candidates)[0]?.['content'];
    if (!isJson(content)) return undefined;
    const parts = listOf(content['parts']);
    const { promptTokenCount: input, candidatesTokenCount: output } = jsonOf(usageMetadata);
    return {
      calls: parts
        .map((part) => jsonOf(part['functionCall']))
        .filter(({ name }) => typeof name === 'string')
        .map(({ name, args }) => ({ id: '', tool: textOrEmpty(name), arguments: jsonOf(args) })),
      text: parts.map(({ text }) => textOrEmpty(text)).join(''),
      inputTokens: numberOf(input),
      outputTokens: numberOf(output),
      said: { parts },
    };
  },
};

export const PROTOCOLS: Readonly<Record<string, ModelProtocol>> = { anthropic, openai, google };

export const protocolOfHost = ({ name, url }: ModelHost): ModelProtocol => ({
  ...openai,
  name,
  keys: [],
  url,
  request: (terms) => ({ ...openai.request(terms), path: '/chat/completions' }),
});

const MOST_MESSAGE = 200;

/** Message for a refused request, without the key. @param body - parsed JSON of the answer */
export const refusalIn = (status: number, body: unknown, key: string): string => {
  const text = errorText(jsonOf(body)['error'], key);
  const what = isKeyRefused(status) ? 'The vendor refuses the key' : 'The model gave no answer';
  return `${what} (HTTP ${status})${text === '' ? '.' : `: ${text}`}`;
};

export const errorText = (error: unknown, key: string): string => {
  const said = textOrEmpty(jsonOf(error)['message']) || textOrEmpty(error);
  return (key === '' ? said : said.replaceAll(key, '***')).slice(0, MOST_MESSAGE);
};

export const isKeyRefused = (status: number): boolean => status === 401 || status === 403;
