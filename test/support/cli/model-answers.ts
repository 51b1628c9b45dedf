/** What a model is to do with what it is asked next. */
export interface Script {
  readonly status?: number;
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, args: object])[];
  /** In place of an answer of a model. */
  readonly raw?: string;
  /** Of an answer that comes bit by bit: what becomes of it after half of its events. */
  readonly halfway?: Promise<void> | 'ends' | 'resets' | { readonly event: string };
  /** As hosts answer that know nothing of streams. */
  readonly atOnce?: true;
}

/** Answers of the three vendors, each in its own form: a thousand tokens in and twenty out. */
export const FORMS: Readonly<Record<string, (script: Script) => object>> = {
  anthropic: ({ text = '', calls = [] }) => ({
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(([name, input], index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
    ],
    usage: { input_tokens: 1000, output_tokens: 20 },
  }),
  openai: ({ text = '', calls = [] }) => ({
    choices: [
      {
        message: {
          role: 'assistant',
          content: text,
          ...(calls.length > 0 && {
            tool_calls: calls.map(([name, args], index) => ({
              id: `c${index}`,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          }),
        },
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 20 },
  }),
  google: ({ text = '', calls = [] }) => ({
    candidates: [
      {
        content: {
          parts: [
            ...(text === '' ? [] : [{ text }]),
            ...calls.map(([name, args]) => ({ functionCall: { name, args } })),
          ],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 20 },
  }),
};

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const piecesOf = (text: string): readonly string[] => text.match(/[^]{1,4}/gu) ?? [];

/** The same, bit by bit: the events of each vendor as they are sent. */
export const STREAMED: Readonly<Record<string, (script: Script) => readonly string[]>> = {
  anthropic: ({ text = '', calls = [] }) => {
    const typed = (one: { readonly type: string }) => event(one, one.type);
    const block = (index: number, start: object, deltas: readonly object[]): readonly string[] => [
      event({ type: 'content_block_start', index, content_block: start }),
      event({ type: 'ping' }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ];
    const usage = { input_tokens: 1000, output_tokens: 1 };
    const start = { type: 'message_start', message: { content: [], usage } };
    return [
      typed(start),
      ...(text === ''
        ? []
        : block(
            0,
            { type: 'text', text: '' },
            piecesOf(text).map((one) => ({ type: 'text_delta', text: one })),
          )),
      ...calls.flatMap(([name, input], at) =>
        block(
          at + 1,
          { type: 'tool_use', id: `c${at}`, name, input: {} },
          ['', ...piecesOf(JSON.stringify(input))].map((partial_json) => ({
            type: 'input_json_delta',
            partial_json,
          })),
        ),
      ),
      event({ type: 'message_delta', delta: {}, usage: { output_tokens: 20 } }),
      typed({ type: 'message_stop' }),
    ];
  },
  openai: ({ text = '', calls = [] }) => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta, finish_reason }], usage: null });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...piecesOf(text).map((content) => chunk({ content })),
      ...calls.flatMap(([name, args], index) => [
        chunk({
          tool_calls: [
            { index, id: `c${index}`, type: 'function', function: { name, arguments: '' } },
          ],
        }),
        ...piecesOf(JSON.stringify(args)).map((one) =>
          chunk({ tool_calls: [{ index, function: { arguments: one } }] }),
        ),
      ]),
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      event({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 20 } }),
      'data: [DONE]\n\n',
    ];
  },
  google: ({ text = '', calls = [] }) => {
    const parts = [
      ...piecesOf(text).map((one) => ({ text: one })),
      ...calls.map(([name, args]) => ({ functionCall: { name, args } })),
    ];
    const chunk = (part: object, candidatesTokenCount: number, over: object = {}): string =>
      event({
        candidates: [{ content: { role: 'model', parts: [part] }, ...over }],
        usageMetadata: { promptTokenCount: 1000, candidatesTokenCount },
      });
    return [
      ...parts.map((part) => chunk(part, 1)),
      chunk({ text: '' }, 20, { finishReason: 'STOP' }),
    ];
  },
};
