import { describe, expect, test } from '@jest/globals';
import {
  type ModelChoice,
  type ModelProtocol,
  PROTOCOLS,
} from '../../../layers/openapi/model-apis/protocols.ts';
import { answerStream, streamed } from '../../../layers/openapi/model-apis/streams.ts';
import { FORMS, type Script, STREAMED } from '../../support/cli/model-answers.ts';

const VENDORS = Object.keys(PROTOCOLS);
const protocolOf = (vendor: string): ModelProtocol => PROTOCOLS[vendor]!;
const KEY = 'canary-key-5b1d';

interface Read {
  readonly choice: ModelChoice;
  /** As it was heard. */
  readonly text: string;
}

const read = (vendor: string, pieces: readonly Uint8Array[]): Read => {
  let text = '';
  const stream = answerStream(protocolOf(vendor), KEY, (said) => {
    text += said;
  });
  for (const piece of pieces) if (stream.add(piece)) break;
  return { choice: stream.end(), text };
};
const readText = (vendor: string, ...texts: readonly string[]): Read =>
  read(
    vendor,
    texts.map((text) => Buffer.from(text)),
  );
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

const SCRIPT: Script = {
  text: 'Über 7 €: “yes” 👩‍🔬 — fine.',
  calls: [
    ['listBooks', { genre: 'mystery', title: 'Ünïcode 👩‍🔬', __proto__x: [1, { a: null }] }],
    ['getBook', {}],
    ['getBook', { book_id: 1 }],
  ],
};

describe.each(VENDORS)('an answer of %s that comes bit by bit', (vendor) => {
  const events = STREAMED[vendor]!(SCRIPT);
  const whole = Buffer.from(events.join(''));
  const atOnce = protocolOf(vendor).choiceIn(FORMS[vendor]!(SCRIPT) as never)!;

  test('is what comes at once: text, calls, tokens', () => {
    const { choice, text } = read(vendor, [whole]);
    const { said: _, ...rest } = choice;
    const { said: __, ...expected } = atOnce;

    expect(rest).toEqual(expected);
    expect(text).toBe(SCRIPT.text);
  });

  test('goes back to the vendor as what comes at once does', () => {
    const back = (said: ModelChoice['said']) => {
      const turns = [{ said }];
      const terms = { model: 'm', key: KEY, turns, tools: [], instructions: undefined };
      return JSON.stringify(protocolOf(vendor).request(terms).body);
    };
    const said = read(vendor, [whole]).choice.said;

    // Google's texts stay in the parts they came in.
    const joined = (body: string) => body.replaceAll(/"\},\{"text":"/g, '');
    expect(joined(back(said))).toBe(joined(back(atOnce.said)));
  });

  test('may be cut at each of its bytes', () => {
    const expected = read(vendor, [whole]);
    for (let at = 0; at <= whole.length; at += 1) {
      expect(read(vendor, [whole.subarray(0, at), whole.subarray(at)])).toEqual(expected);
    }
    const single = Array.from(whole, (_, at) => whole.subarray(at, at + 1));
    expect(read(vendor, single)).toEqual(expected);
  });

  test.each(['\r\n', '\r'])('may have lines that end in %j', (end) => {
    const bytes = Buffer.from(events.join('').replaceAll('\n', end));
    const expected = read(vendor, [whole]);

    expect(read(vendor, [bytes])).toEqual(expected);
    expect(
      read(
        vendor,
        Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
      ),
    ).toEqual(expected);
  });

  test('may have comments, other fields and data on several lines', () => {
    const other = ': ping\n\nretry: 5\nid: 7\nevent: x\n\nnonsense\n\ndata\n\n';
    const split = events.join(other).replaceAll('data: {', 'data:{\ndata: ');

    expect(readText(vendor, split)).toEqual(read(vendor, [whole]));
  });

  test('is broken off wherever it ends before it says so', () => {
    const last = vendor === 'openai' ? events.length - 3 : events.length - 1;
    for (let count = 0; count <= last; count += 1) {
      expect(() => readText(vendor, ...events.slice(0, count))).toThrow(
        'The answer of the model broke off.',
      );
    }
    // An event without its end is none.
    const cut = whole.subarray(0, Buffer.from(events.slice(0, last).join('')).length + 10);
    expect(() => read(vendor, [cut])).toThrow('The answer of the model broke off.');
  });

  test.each(['nonsense', '{', '[]', 'null', '1', '"text"'])(
    'cannot be read with %s in it',
    (text) => {
      expect(() => readText(vendor, events[0]!, `data: ${text}\n\n`)).toThrow(
        'The model answered what nobody can read.',
      );
    },
  );

  test.each([{ message: `Overloaded ${KEY}` }, `Overloaded ${KEY}`])(
    'may end in what the vendor says of it, without the key: %j',
    (error) => {
      expect(() => readText(vendor, events[0]!, data({ type: 'error', error }))).toThrow(
        /^The answer of the model broke off\. The vendor says: Overloaded \*\*\*$/,
      );
    },
  );

  test('is heard up to where it cannot be read, however it is cut', () => {
    const said: string[] = [];
    const stream = answerStream(protocolOf(vendor), KEY, (text) => said.push(text));
    const cut = `${events.slice(0, -2).join('')}data: nonsense\n\n`;

    expect(() => stream.add(Buffer.from(cut))).toThrow('nobody can read');
    expect(said.join('')).toBe(SCRIPT.text);
  });

  test('may be nothing at all', () => {
    const { choice, text } = readText(vendor, ...STREAMED[vendor]!({}));

    expect(choice).toMatchObject({ text: '', calls: [], inputTokens: 1000, outputTokens: 20 });
    expect(text).toBe('');
  });

  test('is not read without end', () => {
    const line = Buffer.from(`: ${'x'.repeat(1_000_000)}\n`);

    expect(() => read(vendor, [line, line, line, whole])).not.toThrow();
    expect(() => read(vendor, [line, line, line, line, whole])).toThrow(
      'The model answered what nobody can read.',
    );
  });

  test('calls no tool with arguments that are no object, but with none', () => {
    const broken = events.join('').replace(/(partial_json":|arguments":)"\{/, '$1"[{');
    const { choice } = readText(vendor, broken);

    const first = vendor === 'google' ? SCRIPT.calls![0]![1] : {};
    expect(choice.calls.map((one) => one.arguments)).toEqual([first, {}, { book_id: 1 }]);
  });
});

describe('asking for an answer that comes bit by bit', () => {
  const terms = { model: 'a-model', key: KEY, turns: [], tools: [], instructions: undefined };
  const asking = (vendor: string) =>
    streamed(protocolOf(vendor), protocolOf(vendor).request(terms));

  test('is a member of the body, or another address', () => {
    expect(asking('anthropic')).toMatchObject({ path: '/v1/messages', body: { stream: true } });
    expect(asking('openai')).toMatchObject({
      path: '/v1/chat/completions',
      body: { stream: true, stream_options: { include_usage: true } },
    });
    expect(asking('google').path).toBe('/v1beta/models/a-model:streamGenerateContent?alt=sse');
    expect(asking('google').headers).toEqual({ 'x-goog-api-key': KEY });
  });
});

describe('a stream of OpenAI, as hosts send it', () => {
  const delta = (of: object, finish_reason?: string) =>
    data({ choices: [{ delta: of, finish_reason }] });
  const call = (over: object, name: string, args: string) => ({
    tool_calls: [{ ...over, function: { name, arguments: args } }],
  });

  test('is whole with an end of either kind', () => {
    expect(readText('openai', delta({ content: 'Hi' }, 'stop')).choice.text).toBe('Hi');
    expect(readText('openai', delta({ content: 'Hi' }), 'data: [DONE]\n\n').choice.text).toBe('Hi');
    expect(() => readText('openai', 'data: [DONE]\n\n')).toThrow('broke off');
  });

  test('ends where it says so, whatever follows', () => {
    const said: string[] = [];
    const stream = answerStream(protocolOf('openai'), KEY, (text) => said.push(text));
    const isWhole = stream.add(
      Buffer.from(`${delta({ content: 'Hi' }, 'stop')}data: [DONE]\n\ndata: x\n\n`),
    );

    expect(isWhole).toBe(true);
    expect(said).toEqual(['Hi']);
  });

  test.each([
    ['the same index', { index: 0 }],
    ['no index', {}],
  ])('may have whole calls with %s', (_, over) => {
    const { choice } = readText(
      'openai',
      delta(call({ ...over, id: 'a' }, 'one', '{"x":1}')),
      delta(call({ ...over, id: 'b' }, 'two', '{"x":2}'), 'tool_calls'),
    );

    expect(choice.calls).toEqual([
      { id: 'a', tool: 'one', arguments: { x: 1 } },
      { id: 'b', tool: 'two', arguments: { x: 2 } },
    ]);
  });

  test('has as many calls as anybody makes', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        delta(call({ index: at, id: `c${at}` }, 'one', '{}')),
      );
    const end = delta({}, 'tool_calls');

    expect(readText('openai', ...calls(128), end).choice.calls).toHaveLength(128);
    expect(() => readText('openai', ...calls(129), end)).toThrow('nobody can read');
  });

  test('may refuse in words', () => {
    const { choice, text } = readText(
      'openai',
      delta({ refusal: 'I ' }),
      delta({ refusal: 'cannot.' }, 'stop'),
    );

    expect(text).toBe('I cannot.');
    expect(choice).toMatchObject({ text: 'I cannot.', said: { refusal: 'I cannot.' } });
  });
});

describe('a stream of Anthropic', () => {
  const start = data({
    type: 'message_start',
    message: { usage: { input_tokens: 7, output_tokens: 1 } },
  });
  const stop = data({ type: 'message_stop' });

  test('keeps thoughts with their signature, which go back, and shows none', () => {
    const { choice, text } = readText(
      'anthropic',
      start,
      data({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '' },
      }),
      data({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'Hm' },
      }),
      data({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'signature_delta', signature: 's1' },
      }),
      data({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
      data({ type: 'message_delta', usage: { input_tokens: null, output_tokens: 9 } }),
      stop,
    );

    expect(text).toBe('');
    expect(choice).toMatchObject({ text: '', inputTokens: 7, outputTokens: 9 });
    expect(choice.said).toEqual({
      content: [{ type: 'thinking', thinking: 'Hm', signature: 's1' }],
    });
  });

  test.each([
    [
      'a piece of what was not begun',
      { type: 'content_block_delta', index: 4, delta: { type: 'text_delta', text: 'x' } },
    ],
    ['a beginning of nothing', { type: 'content_block_start', index: 0 }],
  ])('cannot be read with %s', (_, event) => {
    expect(() => readText('anthropic', start, data(event), stop)).toThrow('nobody can read');
  });
});

describe('a stream of Google', () => {
  test('says why a wish is blocked', () => {
    expect(() => readText('google', data({ promptFeedback: { blockReason: 'SAFETY' } }))).toThrow(
      'The vendor says: it is blocked (SAFETY)',
    );
    const long = data({ promptFeedback: { blockReason: 'X'.repeat(1000) } });
    expect(() => readText('google', long)).toThrow(/blocked \(X{40}\)$/);
  });

  test('keeps signatures of parts, which go back', () => {
    const part = { functionCall: { name: 'one', args: {} }, thoughtSignature: 's1' };
    const { choice } = readText(
      'google',
      data({ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }),
    );

    expect(choice.said).toEqual({ parts: [part] });
  });
});
