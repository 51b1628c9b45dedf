import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import { MODEL_APIS } from '../../layers/openapi/model-apis/verdict.ts';
import { compileTools } from '../../layers/openapi/compile-tools.ts';
import { readTool } from '../support/openapi/compile.ts';
import {
  FIXTURE_DESCRIPTIONS,
  fixtureDescriptions,
} from '../support/openapi/fixture-descriptions.ts';
import { readText, warningsOf } from '../support/openapi/intake.ts';

const undeclared = (method: string) =>
  `/paths/~1comments~1{id}/${method} | {id} of the path is not declared as a parameter`;

const deletion = (place: string) =>
  `/paths/~1${place}/delete | nothing says which are deleted; a list of their keys is the body, as Directus reads it`;

interface Expected {
  readonly dialect: string;
  readonly operations: number;
  readonly base: string;
  readonly warnings: readonly (string | object)[];
  /** Titles that more than one tool has, because the description says the same of both. */
  readonly sameTitles: readonly string[];
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  'alertmanager.json': {
    dialect: 'swagger-2.0',
    operations: 9,
    base: 'http://127.0.0.1:8080/api/v2',
    warnings: [],
    sameTitles: [],
  },
  'directus.json': {
    dialect: 'openapi-3.0',
    operations: 147,
    base: 'http://127.0.0.1:8080',
    warnings: [
      '/paths/~1server~1info/get | the token of an administrator is called required; it may be left out, as Directus reads none',
      deletion('folders'),
      '/paths/~1files/post | a file is described as a text in JSON; it is sent as multipart/form-data, as Directus reads it',
      ...'files operations versions users webhooks permissions flows presets roles comments items~1articles items~1customers'
        .split(' ')
        .map(deletion),
      ...['get', 'patch', 'delete'].map(undeclared),
      {
        where: '/paths/~1files~1{id}/patch',
        what: 'multipart/data is no media type; it is sent as multipart/form-data',
        hint: 'Name the media type that the API takes.',
      },
    ],
    sameTitles: [],
  },
  'netdata.yaml': {
    dialect: 'openapi-3.0',
    operations: 19,
    base: 'http://127.0.0.1:8080/api/v1',
    warnings: [],
    sameTitles: [],
  },
  'powerdns.yaml': {
    dialect: 'swagger-2.0',
    operations: 36,
    base: 'http://127.0.0.1:8080/api/v1',
    warnings: [],
    sameTitles: [],
  },
};

/** Six digits and more, not all of them letters. */
const HASHED = /_(?=[a-f]*\d)[0-9a-f]{6,}$/;

test('of each description in the repository it is known what becomes of it', () => {
  expect(fixtureDescriptions.toSorted()).toEqual(Object.keys(EXPECTED));
});

describe.each(Object.entries(EXPECTED))('the description %s of a real API', (name, expected) => {
  const description = readText(readFileSync(new URL(name, FIXTURE_DESCRIPTIONS)));
  const compiled = compileTools(description, description.operations, {
    tokenBudget: DEFAULT_LIMITS.tool_token_budget,
    serverBase: { apiBaseUrl: 'http://127.0.0.1:8080', reachesLoopback: true },
  });
  const tools = compiled.tools.map(readTool);

  test('is read with these warnings and no others', () => {
    expect(description.dialect).toBe(expected.dialect);
    expect(description.operations).toHaveLength(expected.operations);
    expect([...warningsOf(description), ...compiled.warnings]).toEqual(expected.warnings);
  });

  test('has a tool for each operation, which every model API accepts', () => {
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(expected.operations);
    expect(Object.values(MODEL_APIS).flatMap((check) => tools.flatMap(check))).toEqual([]);
  });

  test('has names of words, and no two descriptions that read alike', () => {
    expect(tools.filter((tool) => HASHED.test(tool.name))).toEqual([]);
    expect(new Set(tools.map((tool) => tool.description)).size).toBe(tools.length);
  });

  test('has titles that tell its tools apart', () => {
    const titles = compiled.tools.flatMap(({ listed }) => listed.title ?? []);

    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual(
      expected.sameTitles,
    );
  });

  test('has its own base path behind an origin that the owner gives', () => {
    expect(compiled.apiBaseUrl).toBe(expected.base);
  });
});
