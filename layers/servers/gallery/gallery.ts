import { descriptionOf } from './descriptions.ts';
import type { GalleryEntry } from './entry.ts';

const ENTRIES: readonly Omit<GalleryEntry, 'openapi'>[] = [
  {
    id: 'open-meteo',
    name: 'Open-Meteo weather',
    description: 'Weather forecasts for any place on earth, and the coordinates of places by name.',
    baseUrl: 'https://api.open-meteo.com',
    documentationUrl: 'https://open-meteo.com/en/docs',
    credential: { need: 'none' },
  },
  {
    id: 'wikipedia',
    name: 'Wikipedia',
    description: 'Finds articles of Wikipedia and reads their summaries and texts.',
    baseUrl: 'https://en.wikipedia.org',
    documentationUrl: 'https://www.mediawiki.org/wiki/API:REST_API',
    credential: { need: 'none' },
  },
  {
    id: 'github',
    name: 'GitHub (reading)',
    description: 'Reads repositories, issues, pull requests, releases and users of GitHub.',
    baseUrl: 'https://api.github.com',
    documentationUrl: 'https://docs.github.com/en/rest',
    credential: {
      need: 'optional',
      help: 'Without one GitHub answers 60 requests an hour and shows what is public. Make a fine-grained token at https://github.com/settings/tokens with read access, and set it as a bearer credential.',
    },
  },
  {
    id: 'open-library',
    name: 'Open Library',
    description: 'Books, their editions and their authors, from a catalogue that anybody may edit.',
    baseUrl: 'https://openlibrary.org',
    documentationUrl: 'https://openlibrary.org/developers/api',
    credential: { need: 'none' },
  },
  {
    id: 'frankfurter',
    name: 'Frankfurter exchange rates',
    description: 'Reference exchange rates of the European Central Bank, of today and since 1999.',
    baseUrl: 'https://api.frankfurter.dev/v1',
    documentationUrl: 'https://frankfurter.dev/',
    credential: { need: 'none' },
  },
  {
    id: 'nager-date',
    name: 'Nager.Date public holidays',
    description: 'Public holidays and long weekends of more than a hundred countries.',
    baseUrl: 'https://date.nager.at/api/v3',
    documentationUrl: 'https://date.nager.at/Api',
    credential: { need: 'none' },
  },
  {
    id: 'rest-countries',
    name: 'REST Countries',
    description:
      'Facts about countries: capital, population, languages, currencies, borders, flags.',
    baseUrl: 'https://restcountries.com/v3.1',
    documentationUrl: 'https://restcountries.com/',
    credential: { need: 'none' },
  },
  {
    id: 'nasa',
    name: 'NASA',
    description: 'The astronomy picture of the day, and asteroids that come near the earth.',
    baseUrl: 'https://api.nasa.gov',
    documentationUrl: 'https://api.nasa.gov/',
    credential: {
      need: 'required',
      help: 'Sign up at https://api.nasa.gov for a free key, or try DEMO_KEY (30 requests an hour). Set it as an API key named api_key in the query.',
    },
  },
  {
    id: 'dictionary',
    name: 'Free Dictionary',
    description: 'What English words mean, with their sound, examples, synonyms and antonyms.',
    baseUrl: 'https://api.dictionaryapi.dev/api/v2',
    documentationUrl: 'https://dictionaryapi.dev/',
    credential: { need: 'none' },
  },
  {
    id: 'themealdb',
    name: 'TheMealDB recipes',
    description: 'Recipes by name, ingredient, category or country, with pictures.',
    baseUrl: 'https://www.themealdb.com/api/json/v1/1',
    documentationUrl: 'https://www.themealdb.com/api.php',
    credential: { need: 'none' },
  },
  {
    id: 'pokeapi',
    name: 'PokéAPI',
    description: 'Everything about Pokémon: species, types, moves, abilities and how they evolve.',
    baseUrl: 'https://pokeapi.co/api/v2',
    documentationUrl: 'https://pokeapi.co/docs/v2',
    credential: { need: 'none' },
  },
  {
    id: 'xkcd',
    name: 'xkcd',
    description: 'The web comic: title, picture and transcript of any strip.',
    baseUrl: 'https://xkcd.com',
    documentationUrl: 'https://xkcd.com/json.html',
    credential: { need: 'none' },
  },
];

/** Source: docs/decisions/management.md, "Gallery". */
export const GALLERY: readonly GalleryEntry[] = ENTRIES.map((entry) => ({
  ...entry,
  openapi: descriptionOf(entry.id),
}));
