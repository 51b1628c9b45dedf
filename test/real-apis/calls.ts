import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Answer, type Call, type Content, MOST_ANSWER_TOKENS } from './real-api.ts';

type Connected = Client & AsyncDisposable;

/** The official client, connected to the server at an address. */
export const connected = async (address: string): Promise<Connected> => {
  const client = new Client({ name: 'real-apis', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(address));
  await client.connect(transport as Transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
};

/** Tokens (o200k) of the list of tools as it comes. */
export const listTokens = async (client: Client): Promise<number> =>
  tokensOf(JSON.stringify((await client.listTools()).tools));

/** Descriptions may hold what a tokenizer takes for its own marks. */
const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

interface MadeCalls {
  readonly right: number;
  /** Of the texts of all answers. */
  readonly tokens: number;
  readonly faults: readonly string[];
}

/** Makes calls one after the other, each on what those before have made. */
export const madeCalls = async (client: Client, calls: readonly Call[]): Promise<MadeCalls> => {
  const made = { right: 0, tokens: 0, faults: [] as string[] };
  for (const { title, tool, args, check, instead } of calls) {
    let said = '';
    try {
      const answer = answerOf(await client.callTool({ name: tool, arguments: { ...args() } }));
      said = answer.text;
      made.tokens += answer.tokens;
      if (answer.isError) throw new Error('an error');
      await check(answer);
      if (answer.tokens > MOST_ANSWER_TOKENS) throw new Error('too long an answer');
      made.right += 1;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      made.faults.push(`${title} (${tool}): ${why.slice(0, 400)}; answer: ${said.slice(0, 400)}`);
      await instead?.();
    }
  }
  return made;
};

const answerOf = (result: object): Answer => {
  const { content = [], isError = false } = result as { content?: Content[]; isError?: boolean };
  const texts = content.flatMap(({ text, resource }) => text ?? resource?.text ?? []);
  const text = texts.join('\n');
  return {
    isError,
    content,
    text,
    tokens: tokensOf(text),
    json: () => JSON.parse(jsonIn(texts[0] ?? '')),
  };
};

/** Other servers write a line before it. */
const jsonIn = (text: string): string => {
  const start = text.search(/[{[]/);
  return start > 0 && text.slice(0, start).includes('\n') ? text.slice(start) : text;
};
