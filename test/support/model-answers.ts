/** What a model is to do with what it is asked next. */
export interface Script {
  readonly status?: number;
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, args: object])[];
  /** In place of an answer of a model. */
  readonly raw?: string;
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
