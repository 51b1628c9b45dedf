import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { McpAuthMethod } from '../../../layers/deployments/rules/auth-methods.ts';
import { verdictOn } from '../../../layers/openapi/model-apis/verdict.ts';
import { docsPage, type DocumentedTool, STYLE_HASH } from '../../../layers/mcp/pages/docs.ts';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';

const BASE_URL = 'https://mcp.example.com/v1';
const VERSIONS = ['2026-07-28', '2025-03-26'] as const;
const URL = `${BASE_URL}/mcp-router/weather/messages`;

type Tool = Omit<DocumentedTool, 'verdict'>;

const pageOf = (tools: readonly Tool[], authMethod: McpAuthMethod = 'none') =>
  docsPage(BASE_URL, aDeployment({ authMethod }), VERSIONS, {
    contents: { tools: judged(tools), operations: [] },
    toolNames: tools.map(({ name }) => name),
  });
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

describe('the docs page of a deployment', () => {
  test('names the versions of MCP that are served', () => {
    expect(textOf(pageOf([]))).toContain('MCP 2026-07-28, 2025-03-26');
  });

  test('has what registries list of the server, ready to paste', () => {
    const text = textOf(pageOf([], 'jwt'));

    expect(text).toContain('"name": "com.example.mcp/weather"');
    expect(text).toContain('"isSecret": true');
  });

  test('lists the tools with their parameters, required ones first', () => {
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
    ['an array', { type: 'array', items: { type: 'string' } }, 'array of string'],
    ['an array of arrays', { type: 'array', items: { type: 'array' } }, 'array of array of any'],
    ['an enum', { enum: ['a', 1, null] }, '"a" or 1 or null'],
    [
      'a long enum',
      { enum: [...Array(14).keys()] },
      `${[...Array(12).keys()].join(' or ')} or 2 others`,
    ],
    ['a const', { const: 'x' }, '"x"'],
    ['a format', { type: 'string', format: 'date' }, 'string (date)'],
    ['several types', { type: ['string', 'null'] }, 'string or null'],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
    ['a reference', { $ref: '#/$defs/Place' }, 'Place'],
    ['an empty schema', {}, 'any'],
    ['the schema true', true, 'any'],
  ])('names the type of %s', (_, schema, type) => {
    expect(textOf(pageOf([aTool({ it: schema })]))).toContain(` it ${type} `);
  });

  test.each([
    ['none', 'Public', 'No authentication is needed'],
    ['oauth', 'OAuth', 'sign in and approve'],
    ['jwt', 'Token', "Ask the server's owner for a token"],
  ] as const)('explains how to authenticate with auth method %s', (mode, badge, words) => {
    const text = textOf(pageOf([], mode));
    expect(text).toContain(badge);
    expect(text).toContain(words);
  });

  test('has client configurations that are ready to paste', () => {
    const text = textOf(pageOf([]));

    expect(text).toContain(`claude mcp add --transport http weather ${URL}`);
    expect(text).toContain(`{ "mcpServers": { "weather": { "url": "${URL}" } } }`);
    expect(text).toContain(`{ "servers": { "weather": { "type": "http", "url": "${URL}" } } }`);
    expect(text).toContain(`npx @modelcontextprotocol/inspector --cli ${URL}`);
    expect(text).not.toContain('YOUR_TOKEN');
  });

  test('says where a token goes only in mode jwt, and writes none into a command', () => {
    const text = textOf(pageOf([], 'jwt'));

    expect(text).toContain('"headers": { "Authorization": "Bearer ${env:MCP_TOKEN}" }');
    expect(text).toContain('--header "Authorization: Bearer $MCP_TOKEN"');
    expect(text).not.toMatch(/Bearer ey/);
    expect(textOf(pageOf([], 'oauth'))).not.toContain('"Authorization"');
  });

  test('has a link for each application that adds a server by one', () => {
    const page = pageOf([]);

    expect(page).toContain('href="cursor://anysphere.cursor-deeplink/mcp/install?name');
    expect(page).toContain('href="vscode:mcp/install?%7B%22name%22%3A%22weather%22');
  });

  test('does not offer a client that cannot connect, and says why', () => {
    const page = pageOf([], 'jwt');
    expect(page).not.toContain('<summary>ChatGPT</summary>');
    expect(textOf(page)).toContain(
      'ChatGPT takes no token: it needs a server where people sign in, or one that is public.',
    );
    expect(pageOf([], 'oauth')).toContain('<summary>ChatGPT</summary>');
    expect(textOf(pageOf([], 'oauth'))).toContain(
      `developer mode: Create. Paste this address: ${URL}`,
    );
  });

  test('shows code in sentences as code', () => {
    const page = pageOf([], 'oauth');

    expect(page).toContain('In <code>.vscode/mcp.json</code> of a project:');
    expect(page).toContain('Then <code>/mcp</code> in Claude Code opens');
    expect(page.slice(page.indexOf('<main>'))).not.toContain('`');
  });

  test('says what the API is, as text, or what its owner says of it', () => {
    const contents = { tools: [], operations: [] };
    const apiTexts = { instructions: '', description: 'Rain, <b>here</b> or there.' };
    const saying = (said: object) =>
      docsPage(BASE_URL, aDeployment({ apiTexts, ...said }), VERSIONS, { contents, toolNames: [] });

    expect(saying({})).toContain('<p class="words">Rain, &lt;b&gt;here&lt;/b&gt; or there.</p>');
    expect(saying({ description: 'Ours.' })).toContain('<p class="words">Ours.</p>');
    expect(pageOf([])).not.toContain('<p class="words">');
  });

  test('shows strangers the title, how to connect and where to sign in, and nothing of the API', () => {
    const apiTexts = { instructions: 'unshown', description: 'unshown' };
    const page = docsPage(BASE_URL, aDeployment({ authMethod: 'oauth', apiTexts }), VERSIONS, {
      contents: undefined,
      toolNames: ['secret_tool'],
    });
    const text = textOf(page);

    expect(text).toContain('Weather');
    expect(text).toContain(URL);
    expect(text).toContain('Connect a client');
    expect(text).toContain('shown to people who are signed in here and may use this server');
    expect(page.replaceAll('&#x3D;', '=')).toContain(
      'mcp-oauth-server/sign-in?return_to=%2Fv1%2Fmcp-router%2Fweather%2Fdocs"',
    );
    expect(page).not.toContain('api.example.com');
    expect(page).not.toContain('unshown');
    expect(text).not.toMatch(/\d tools?\b|registr|secret_tool/);
  });

  test('escapes hostile texts', () => {
    const hostile = '<script>alert(1)</script>"\'`{{name}}';
    const page = docsPage(
      BASE_URL,
      aDeployment({ name: hostile, apiBaseUrl: `https://x/${hostile}` }),
      VERSIONS,
      {
        toolNames: [],
        contents: {
          tools: judged([
            {
              ...aTool({ [hostile]: { description: hostile, enum: [hostile] } }),
              description: hostile,
              notes: [{ what: hostile, why: hostile, arguments: [hostile] }],
            },
          ]),
          operations: [],
        },
      },
    );

    expect(page).not.toContain('<script');
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(6);
    expect(page).toContain('{{name}}');
  });

  test('states the tokens of a tool and that model APIs accept it', () => {
    const text = textOf(pageOf([aTool({}), aTool({})]));

    expect(text).toMatch(/2 tools about [\d,]+ tokens/);
    expect(text).toMatch(
      /About \d+ tokens of a model's context\. Claude, OpenAI, Gemini, and Bedrock take it as it is\./,
    );
    expect(text).not.toContain('How it differs');
  });

  test('names the model APIs that may refuse a tool, with the reason', () => {
    const text = textOf(pageOf([{ ...aTool({}), description: 'x'.repeat(1025) }]));

    expect(text).toContain('OpenAI may refuse it. OpenAI: a description of 1025 characters');
  });

  test('lists how a tool differs from the OpenAPI description', () => {
    const notes = [
      { what: 'allOf is merged', why: 'so it is' },
      { what: 'sent as query parameter "a[b]"', why: 'names', arguments: ['a_b', 'c'] },
    ];

    expect(textOf(pageOf([{ ...aTool({}), notes }]))).toContain(
      'How it differs from the API\'s description allOf is merged (so it is) a_b, c: sent as query parameter "a[b]" (names)',
    );
  });

  test('has exactly the one style that its content security policy allows', () => {
    const styles = [...pageOf([]).matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style);

    expect(styles).toHaveLength(1);
    const hash = createHash('sha256').update(styles[0]!).digest('base64');
    expect(STYLE_HASH).toBe(`sha256-${hash}`);
    expect(pageOf([])).not.toMatch(/\sstyle=/);
  });

  test('says where there are no tools or no arguments', () => {
    expect(textOf(pageOf([]))).toContain('This server has no tools yet.');
    expect(textOf(pageOf([aTool({})]))).toContain('Takes no arguments.');
  });
});
