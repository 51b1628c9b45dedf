import { isJson, type Json, jsonOf, listOf, numberOf, parsed, stringOf } from '../json.ts';
import { MOST_OUTPUT_TOKENS, type ModelProtocol } from './model.ts';

/** Source: Anthropic API reference, "Messages", "Tool use". */
const anthropic: ModelProtocol = {
  keys: ['ANTHROPIC_API_KEY'],
  url: 'https://api.anthropic.com',
  request: ({ model, key, wish, tools, instructions }) => ({
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
      messages: [{ role: 'user', content: wish }],
    },
  }),
  choiceIn: ({ content, usage }) => {
    if (!Array.isArray(content)) return undefined;
    const parts = listOf(content);
    const { input_tokens: input, output_tokens: output } = jsonOf(usage);
    return {
      calls: parts
        .filter(({ type }) => type === 'tool_use')
        .map((part) => ({ tool: stringOf(part.name), arguments: jsonOf(part.input) })),
      text: parts.map(({ text }) => stringOf(text)).join(''),
      inputTokens: numberOf(input) ?? 0,
      outputTokens: numberOf(output) ?? 0,
    };
  },
};

/** Of OpenAI, and of many hosts that speak as it does. Source: OpenAI API reference, "Chat completions". */
const openai: ModelProtocol = {
  keys: ['OPENAI_API_KEY'],
  url: 'https://api.openai.com',
  request: ({ model, key, wish, tools, instructions }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: {
      model,
      messages: [
        ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
        { role: 'user', content: wish },
      ],
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    },
  }),
  choiceIn: ({ choices, usage }) => {
    const message = listOf(choices)[0]?.message;
    if (!isJson(message)) return undefined;
    const { prompt_tokens: input, completion_tokens: output } = jsonOf(usage);
    return {
      calls: listOf(message.tool_calls).map((call) => {
        const { name, arguments: text } = jsonOf(call.function);
        return { tool: stringOf(name), arguments: jsonOf(parsed(stringOf(text))) };
      }),
      text: stringOf(message.content),
      inputTokens: numberOf(input) ?? 0,
      outputTokens: numberOf(output) ?? 0,
    };
  },
};

/** Source: Gemini API reference, "models.generateContent", "Function calling". */
const google: ModelProtocol = {
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  url: 'https://generativelanguage.googleapis.com',
  request: ({ model, key, wish, tools, instructions }) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: {
      ...(instructions !== undefined && {
        systemInstruction: { parts: [{ text: instructions }] },
      }),
      contents: [{ role: 'user', parts: [{ text: wish }] }],
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
    const content = listOf(candidates)[0]?.content;
    if (!isJson(content)) return undefined;
    const parts = listOf(content.parts);
    const { promptTokenCount: input, candidatesTokenCount: output } = jsonOf(usageMetadata);
    return {
      calls: parts
        .map((part): Json => jsonOf(part.functionCall))
        .filter(({ name }) => typeof name === 'string')
        .map(({ name, args }) => ({ tool: stringOf(name), arguments: jsonOf(args) })),
      text: parts.map(({ text }) => stringOf(text)).join(''),
      inputTokens: numberOf(input) ?? 0,
      outputTokens: numberOf(output) ?? 0,
    };
  },
};

/** By the word before the slash of `--model`. */
export const PROTOCOLS: Readonly<Record<string, ModelProtocol>> = { anthropic, openai, google };
