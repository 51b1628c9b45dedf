/**
 * What a long answer costs a model, and what cutting it costs the router.
 *
 * Tokens are those of GPT-4o (`o200k`), of all that the result holds: the shown part and the note. Processor time is
 * that of making the result and the parts that are read on, beside that of making the whole result of the same answer;
 * rounds of both take turns, and what counts is the least round, to which other work of the machine adds least.
 *
 * Goals: a page of 100 rows of 100 fields takes at most 20,000 tokens; cutting 4 MB takes at most 10 ms more.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { answerContent, maskingOf, MOST_RESULT_BYTES } from '../layers/core/domain/tools/index.ts';
import { ms, printTable, type Row } from './table.ts';

const BUDGET = 20_000;
const ROUNDS = 15;
const MOST_BYTES = 4_194_304;

const value = (row: number, field: number): unknown =>
  [
    `Value ${field} of article ${row}, as people write it`,
    row * 1000 + field,
    field % 2 === 0,
    null,
    '2026-11-23T10:00:00.000Z',
    'f3a1c9d2-77b4-4c0e-9d1e-5b7a2c4e8f60',
    Math.sin(row + field),
  ][field % 7];

const rowOf = (row: number): object =>
  Object.fromEntries(
    Array.from({ length: 100 }, (_, field) => [`attribute_${field}`, value(row, field)]),
  );

/** As many elements as take so many bytes. */
const filled = (bytes: number, element: (index: number) => unknown): unknown[] => {
  const elements = [];
  for (let size = 0; size < bytes;) {
    const next = element(elements.length);
    elements.push(next);
    size += JSON.stringify(next).length + 1;
  }
  return elements;
};

const ALMOST = MOST_BYTES - 10_000;

/** Answers of APIs: lists at the root and inside, wide and narrow rows, one long text, one object, lines. */
const ANSWERS: Readonly<Record<string, () => string>> = {
  '100 rows of 100 fields': () =>
    JSON.stringify({ data: Array.from({ length: 100 }, (_, row) => rowOf(row)) }),
  '4 MB, rows of 100 fields': () => JSON.stringify({ data: filled(ALMOST, rowOf), total: 1300 }),
  '4 MB, the same indented': () =>
    JSON.stringify({ data: filled(ALMOST * 0.6, rowOf) }, null, 2).slice(0, MOST_BYTES),
  '4 MB, numbers': () => JSON.stringify(filled(ALMOST, (index) => (index * 7919) % 10_007)),
  '4 MB, texts with escapes': () =>
    JSON.stringify(filled(ALMOST, (index) => `line ${index}\n\t"quoted" \\ and more of it`)),
  '4 MB, one text': () =>
    JSON.stringify({ log: 'one of many words \\ "and marks" '.repeat(ALMOST / 40) }),
  '4 MB, one object': () =>
    JSON.stringify(
      Object.fromEntries(filled(ALMOST, rowOf).map((row, index) => [`key ${index}`, row])),
    ),
  '4 MB, lines of text': () =>
    'name,value\n' + filled(ALMOST, (row) => `row ${row},${row * 31}`).join('\n'),
};

const terms = {
  masking: maskingOf(undefined, {}),
  method: 'GET',
  maxBytes: MOST_BYTES,
  maxWireBytes: MOST_RESULT_BYTES,
};

export const bench = async (): Promise<void> => {
  const rows: Row[] = [];
  for (const [title, make] of Object.entries(ANSWERS)) {
    const text = make();
    const answer = {
      status: 200,
      headers: { 'content-type': text.startsWith('name') ? 'text/csv' : 'application/json' },
      body: Buffer.from(text),
    } as const;
    const whole = () => JSON.stringify(answerContent(answer, terms).result);
    const cut = () => {
      const content = answerContent(answer, {
        ...terms,
        budget: { budget: BUDGET, narrowing: [] },
      });
      return [JSON.stringify(content.result), content.rest?.parts().length ?? 0] as const;
    };
    const least = { whole: Infinity, cut: Infinity };
    for (let round = 0; round < ROUNDS; round += 1) {
      least.whole = Math.min(least.whole, cpuMs(whole));
      least.cut = Math.min(least.cut, cpuMs(cut));
    }
    const [result, parts] = cut();
    const { content } = JSON.parse(result) as { content: { text: string }[] };
    const tokens = content.reduce((sum, each) => sum + countTokens(each.text), 0);
    const wholeTokens = text.length > 1_000_000 ? '' : countTokens(text);
    rows.push([
      title,
      wholeTokens,
      tokens,
      parts,
      ms(least.whole),
      ms(least.cut),
      ms(least.cut - least.whole),
    ]);
  }
  printTable(
    `Long answers, with a budget of ${BUDGET} tokens`,
    ['tokens whole', 'tokens cut', 'parts', 'whole', 'cut', 'more'],
    rows,
    ['goals: at most 20,000 tokens for the first line; at most 10 ms more for 4 MB'],
  );
};

const cpuMs = (run: () => unknown): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
