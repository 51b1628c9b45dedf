import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { GALLERY } from '../../../layers/servers/gallery/gallery.ts';
import type { GalleryEntry } from '../../../layers/servers/gallery/entry.ts';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { onlyOf, readTool } from '../../support/openapi/compile.ts';
import { readText } from '../../support/openapi/intake.ts';
import { toIndexedTool } from '../../../layers/openapi/tool-index.ts';
import { strictly } from '../../support/openapi/json-schema.ts';
import { MODEL_APIS } from '../../../layers/openapi/model-apis/verdict.ts';

const compiled = ({ openapi }: GalleryEntry) => {
  const description = readText(openapi);
  return { description, ...compileTools(description, description.operations) };
};

describe('the gallery', () => {
  test('has at least eight entries, each with an id of its own', () => {
    const ids = GALLERY.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(8);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]{2,62}$/);
  });

  test('has an entry for every description beside it', () => {
    const folder = new URL('../../../layers/servers/gallery/descriptions/', import.meta.url);

    expect(readdirSync(folder).toSorted()).toEqual(
      GALLERY.map(({ id }) => `${id}.yaml`).toSorted(),
    );
  });

  test('has nothing that the free plan could not deploy', () => {
    for (const entry of GALLERY) expect(compiled(entry).tools.length).toBeLessThanOrEqual(50);
  });
});

describe.each(GALLERY.map((entry) => [entry.id, entry] as const))(
  'the gallery’s entry %s',
  (_, entry) => {
    const { description, warnings, apiBaseUrl, ...made } = compiled(entry);
    const tools = made.tools.map(readTool);

    test('compiles without a warning, one tool for each operation', () => {
      expect([...description.warnings, ...warnings]).toEqual([]);
      expect(tools).toHaveLength(description.operations.length);
    });

    test('sends calls to the address that it shows', () => {
      expect(new URL(apiBaseUrl)).toEqual(new URL(entry.baseUrl));
      expect(entry.baseUrl).toMatch(/^https:/);
      expect(entry.documentationUrl).toMatch(/^https:/);
    });

    test.each(Object.entries(MODEL_APIS))('has only tools that %s accepts', (__, check) => {
      expect(tools.flatMap((tool) => check(tool).map((what) => `${tool.name}: ${what}`))).toEqual(
        [],
      );
    });

    test('has schemas that compile in strict JSON Schema 2020-12', () => {
      for (const { inputSchema } of tools) expect(() => strictly(inputSchema)).not.toThrow();
    });

    test('says of every tool what it does', () => {
      for (const tool of tools) expect(tool.description).toMatch(/\S/);
    });
  },
);

/** Addresses as the documentation of each API has them. */
describe('a call of a tool of the gallery', () => {
  test.each([
    [
      'open-meteo',
      'getForecast',
      { latitude: 52.5, longitude: 13.4, current: ['temperature_2m', 'rain'], timezone: 'auto' },
      'https://api.open-meteo.com/v1/forecast?latitude=52.5&longitude=13.4&current=temperature_2m,rain&timezone=auto',
    ],
    [
      'open-meteo',
      'findPlaces',
      { name: 'Köln' },
      'https://geocoding-api.open-meteo.com/v1/search?name=K%C3%B6ln',
    ],
    [
      'wikipedia',
      'getSummary',
      { title: 'Ada_Lovelace' },
      'https://en.wikipedia.org/api/rest_v1/page/summary/Ada_Lovelace',
    ],
    [
      'github',
      'listIssues',
      { owner: 'nodejs', repo: 'node', state: 'open', labels: ['a', 'b'] },
      'https://api.github.com/repos/nodejs/node/issues?state=open&labels=a,b',
    ],
    [
      'open-library',
      'getEditionByIsbn',
      { isbn: '9780140328721' },
      'https://openlibrary.org/isbn/9780140328721.json',
    ],
    [
      'frankfurter',
      'getRatesOfPeriod',
      { start: '2026-01-01', end: '2026-01-31', base: 'USD', symbols: ['EUR', 'GBP'] },
      'https://api.frankfurter.dev/v1/2026-01-01..2026-01-31?base=USD&symbols=EUR,GBP',
    ],
    [
      'nager-date',
      'listHolidays',
      { year: 2026, countryCode: 'DE' },
      'https://date.nager.at/api/v3/PublicHolidays/2026/DE',
    ],
    [
      'rest-countries',
      'findCountriesByName',
      { name: 'côte', fields: ['name', 'capital'] },
      'https://restcountries.com/v3.1/name/c%C3%B4te?fields=name,capital',
    ],
    [
      'nasa',
      'getPictureOfTheDay',
      { date: '2026-11-20' },
      'https://api.nasa.gov/planetary/apod?date=2026-11-20',
    ],
    [
      'dictionary',
      'lookUpWord',
      { word: 'house' },
      'https://api.dictionaryapi.dev/api/v2/entries/en/house',
    ],
    [
      'themealdb',
      'filterMeals',
      { i: 'chicken_breast' },
      'https://www.themealdb.com/api/json/v1/1/filter.php?i=chicken_breast',
    ],
    ['pokeapi', 'getPokemon', { id_or_name: 'ditto' }, 'https://pokeapi.co/api/v2/pokemon/ditto'],
    ['xkcd', 'getComic', { number: 614 }, 'https://xkcd.com/614/info.0.json'],
  ])('goes to the address that its documentation has: %s, %s', (id, name, args, url) => {
    const entry = onlyOf(GALLERY.filter((one) => one.id === id));
    const tool = onlyOf(compiled(entry).tools.filter((one) => one.name === name));
    const prepared = prepareTool(toIndexedTool(tool));
    expect(decodeURIComponent(buildRequest(prepared, readArguments(prepared, args)).url)).toBe(
      decodeURIComponent(url),
    );
  });
});
