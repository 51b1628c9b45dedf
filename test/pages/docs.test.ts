import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { McpAuthMethod } from '../../layers/core/domain/deployment.ts';
import { verdictOn } from '../../layers/core/domain/model-apis/index.ts';
import { docsPage, type DocumentedTool, STYLE_HASH } from '../../layers/core/pages/index.ts';
import { aDeployment } from '../adapters/dynamodb/fixtures.ts';

const BASE_URL = 'https://mcp.example.com/v1';
const URL = `${BASE_URL}/mcp-router/weather/messages`;

type Tool = Omit<DocumentedTool, 'verdict'>;

const pageOf = (tools: readonly Tool[], authMethod: McpAuthMethod = 'none') =>
  docsPage(BASE_URL, aDeployment({ authMethod }), judged(tools));
const judged = (tools: readonly Tool[]): readonly DocumentedTool[] =>
  tools.map((tool) => ({ ...tool, verdict: verdictOn(tool) }));
/** What a reader sees of it, spaces aside. */
const textOf = (page: string): string =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#x3D;', '=')
    .replace(/\s+/g, ' ');
const aTool = (properties: object, required: readonly string[] = []): Tool => ({
  name: 'getForecast',
  description: 'The weather to come',
  inputSchema: { type: 'object', properties, required },
  annotations: { title: 'Get forecast' },
  notes: [],
});

describe('D17 the docs page', () => {
  test('shows the tools with their parameters, the required ones first', () => {
    const tool = aTool(
      {
        days: { type: 'integer', description: 'How many' },
        city: { type: 'string', description: 'Where' },
      },
      ['city'],
    );

    expect(textOf(pageOf([tool]))).toContain(
      'getForecast Get forecast The weather to come city required string Where days integer How many',
    );
  });

  test.each([
    ['a list', { type: 'array', items: { type: 'string' } }, 'array of string'],
    ['a list of lists', { type: 'array', items: { type: 'array' } }, 'array of array of any'],
    ['a choice', { enum: ['a', 1, null] }, '"a" or 1 or null'],
    [
      'a long choice',
      { enum: [...Array(14).keys()] },
      `${[...Array(12).keys()].join(' or ')} or 2 others`,
    ],
    ['one value', { const: 'x' }, '"x"'],
    ['a format', { type: 'string', format: 'date' }, 'string (date)'],
    ['several types', { type: ['string', 'null'] }, 'string or null'],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
    ['a reference', { $ref: '#/$defs/Place' }, 'Place'],
    ['anything', {}, 'any'],
    ['a schema that is true', true, 'any'],
  ])('names the type of %s', (_, schema, type) => {
    expect(textOf(pageOf([aTool({ it: schema })]))).toContain(` it ${type} `);
  });

  test.each([
    ['none', 'Public', 'No authentication is needed'],
    ['oauth', 'OAuth', 'log in and approve'],
    ['jwt', 'Token', "Ask the server's owner for a token"],
  ] as const)('says how to get in: %s', (mode, badge, words) => {
    const text = textOf(pageOf([], mode));
    expect(text).toContain(badge);
    expect(text).toContain(words);
  });

  test('has configurations that are ready to paste', () => {
    const text = textOf(pageOf([]));

    expect(text).toContain(`claude mcp add --transport http weather ${URL}`);
    expect(text).toContain(`{ "mcpServers": { "weather": { "url": "${URL}" } } }`);
    expect(text).toContain(`{ "servers": { "weather": { "type": "http", "url": "${URL}" } } }`);
    expect(text).toContain(`npx @modelcontextprotocol/inspector --cli ${URL}`);
    expect(text).not.toContain('YOUR_TOKEN');
  });

  test('has a place for the token only where one must be put in', () => {
    expect(textOf(pageOf([], 'jwt'))).toContain(
      '"headers": { "Authorization": "Bearer YOUR_TOKEN" }',
    );
    expect(textOf(pageOf([], 'oauth'))).not.toContain('"Authorization"');
  });

  test('shows hostile texts as text', () => {
    const hostile = '<script>alert(1)</script>"\'`{{name}}';
    const page = docsPage(
      BASE_URL,
      aDeployment({ name: hostile, apiBaseUrl: `https://x/${hostile}` }),
      judged([
        {
          ...aTool({ [hostile]: { description: hostile, enum: [hostile] } }),
          description: hostile,
          notes: [{ what: hostile, why: hostile, arguments: [hostile] }],
        },
      ]),
    );

    expect(page).not.toContain('<script');
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(6);
    expect(page).toContain('{{name}}');
  });

  test('tells what a tool takes of a context, and that model APIs take it', () => {
    const text = textOf(pageOf([aTool({}), aTool({})]));

    expect(text).toMatch(/2 tools about [\d,]+ tokens/);
    expect(text).toMatch(
      /About \d+ tokens of a model's context\. Claude, OpenAI, Gemini, and Bedrock take it as it is\./,
    );
    expect(text).not.toContain('How it differs');
  });

  test('tells which model APIs may refuse a tool, and why', () => {
    const text = textOf(pageOf([{ ...aTool({}), description: 'x'.repeat(1025) }]));

    expect(text).toContain('OpenAI may refuse it. OpenAI: a description of 1025 characters');
  });

  test('tells how a tool differs from the description of the API', () => {
    const notes = [
      { what: 'allOf is merged', why: 'so it is' },
      { what: 'sent as query parameter "a[b]"', why: 'names', arguments: ['a_b', 'c'] },
    ];

    expect(textOf(pageOf([{ ...aTool({}), notes }]))).toContain(
      'How it differs from the API\'s description allOf is merged (so it is) a_b, c: sent as query parameter "a[b]" (names)',
    );
  });

  test('carries the one style that its policy allows', () => {
    const styles = [...pageOf([]).matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style);

    expect(styles).toHaveLength(1);
    const hash = createHash('sha256').update(styles[0]!).digest('base64');
    expect(STYLE_HASH).toBe(`sha256-${hash}`);
    expect(pageOf([])).not.toMatch(/\sstyle=/);
  });

  test('says so where there are no tools, or no arguments', () => {
    expect(textOf(pageOf([]))).toContain('This server has no tools yet.');
    expect(textOf(pageOf([aTool({})]))).toContain('Takes no arguments.');
  });
});
