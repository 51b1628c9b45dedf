import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { placeOf, plain } from '../../console/src/kit/plain-words.ts';
import { withUnseen } from '../../console/src/kit/words.ts';
import { ROOT, saidByTheApi } from '../support/words/texts.ts';

const sentences = saidByTheApi();

/** Words of the API, of the command line or of HTTP that no page shows. */
const FOREIGN =
  /[a-z]_[a-z]|--[a-z]|\bHTTP \d|\banswers? [45]\d\d\b|\b[Dd]eployments?\b|hosted-mcp|JSON pointer|\bPUT |\bGET \.|\b[Oo]verrides?\b|\bslug\b/;
/** What models read, what programmers read of a setting, what operators and tokens are told, and what a program expects. */
const FOR_OTHERS =
  /servers\/rules\/(choices|settings|clients\/.*)\.ts: |steps\/operator\/transfer\.ts: |openapi\/api-texts\.ts: |routes\/connecting\.ts: \d{3}, and |publication\.ts: JSON pointers with |deployments\/publish\.ts: Let it go on: |remove-deployment\.ts: What a declaration /;

describe('what a model sees of a tool', () => {
  test.each([
    ['turned by an override', 'pay \u202Eyob', 'pay [U+202E]yob'],
    ['in tags that only models read', 'Find.\u{E0069}\u{E0067}', 'Find.[U+E0069][U+E0067]'],
    ['between letters', 'de\u200Blete\uFEFF', 'de[U+200B]lete[U+FEFF]'],
    ['of a terminal', '\u001b[31mred', '[U+001B][31mred'],
    ['in lines', 'one\n\ttwo\r\n', 'one\n\ttwo\r\n'],
    [
      'of emoji and other scripts',
      '👩\u200D💻 می\u200Cخواهم متجر',
      '👩\u200D💻 می\u200Cخواهم متجر',
    ],
  ])('is seen by its owner, too: %s', (_, text, shown) => {
    expect(withUnseen(text)).toBe(shown);
  });
});

describe('the words of the API on the pages of the console', () => {
  test('each sentence that the API can say loses what people have no use for', () => {
    const left = sentences
      .map(({ file, text }) => ({ file, said: plain(text) }))
      .filter(({ said }) => FOREIGN.test(said))
      .map(({ file, said }) => `${file}: ${said}`)
      .filter((one) => !FOR_OTHERS.test(one));

    expect(sentences.length).toBeGreaterThan(300);
    expect(left).toEqual([]);
  });

  test.each([
    ['/openapi_url', 'Address of the description'],
    ['/paths/~1pets~1{id}/get/parameters/1', 'GET /pets/{id}, parameter 2'],
    [
      '/openapi/paths/~1pets/post/requestBody/content/application~1json/schema',
      'POST /pets, request body, application/json',
    ],
    ['/paths/~1pets/get/responses/200', 'GET /pets, answer 200'],
    ['/components/schemas/Pet/properties/name', 'Schema Pet, name'],
    ['/access/domains/0', 'Who may use it, domain 1'],
    ['/operations/include/2', 'Choice of operations, entry 3'],
    ['/overrides/GET ~1pets/arguments/limit/name', 'GET /pets, argument limit, name'],
    ['/overrides/*/arguments/limit', 'All tools, argument limit'],
    ['/overlays/0/actions/4', 'Overlays 1, action 5'],
    ['/request_headers/X-Tenant', 'Headers sent with each call, X-Tenant'],
    ['line 3, column 4', 'Line 3, column 4'],
    ['', ''],
  ])('the place %s is called %s', (where, name) => {
    expect(placeOf(where)).toBe(name);
  });

  test('what an API answered is said in the words of the standard', () => {
    expect(plain('it answered HTTP 401')).toBe('it answered “Unauthorized”');
    expect(plain('it answered HTTP 418')).toBe('it answered status 418');
  });

  test('a code behind its own words is left out', () => {
    expect(plain('the connection is refused (connection_refused). Check it.')).toBe(
      'the connection is refused. Check it.',
    );
  });

  test('what somebody has typed stays as it is', () => {
    expect(plain('The slug "my-slug" is taken by a deployment.')).toBe(
      'The URL name "my-slug" is taken by a server.',
    );
  });
});

/** Texts that readers stumbled over, each with what is said in its place. Comments may say what they like. */
const BETTER: readonly (readonly [was: RegExp, now: string])[] = [
  [/It is published, and can be called at once|What comes next:/, 'Published. Next steps:'],
  [/Who has let a client in/, 'Connected clients'],
  [/The client proves who it is by/, 'Client authentication'],
  [/Members of its answers/, 'Response fields to keep'],
  [/Acts beyond the API/, 'May affect other systems'],
  [/What is left empty is as the description has it/, 'Empty fields keep the original'],
  [/'Nothing is changed'/, 'Save changes'],
  [/Percent of its cases that must be right before/, 'Minimum evaluation score to publish'],
  [/Whose model shall it be/, 'Choose a model provider'],
  [/Ask \{count\(/, 'Run 1 case'],
  [/Begin anew/, 'New chat'],
  [/Do not call it/, 'Skip'],
  [/tokens (?:were )?sent, .*came back/, '500 tokens in, 20 out'],
  [/Look into your mailbox/, 'Check your e-mail'],
  [/Machines without a secret/, 'Workload identity'],
  [/\bTrust it\b/, 'Add trust'],
  [/Secrets belong under Credential\./, 'Credentials, as the tab is called'],
  [/\bTry it\b/, 'Test'],
];

const PAGES = ['console/src', 'layers/pages', 'layers/accounts', 'layers/console', 'layers/oauth'];

describe('the texts of pages and mails', () => {
  const texts = PAGES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && file !== 'api/openapi.ts')
      .map((file) => ({
        file: `${folder}/${file}`,
        text: readFileSync(join(ROOT, folder, file), 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
          .join(' ')
          .replaceAll(/\s+/g, ' '),
      })),
  );

  test.each(BETTER)('do not say %s', (was, now) => {
    const saying = texts.filter(({ text }) => was.test(text)).map(({ file }) => file);

    expect({ saying, sayInstead: now }).toEqual({ saying: [], sayInstead: now });
  });

  test('are all read', () => {
    expect(texts.length).toBeGreaterThan(250);
  });
});
