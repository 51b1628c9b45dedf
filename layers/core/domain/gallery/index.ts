import { dictionary } from './dictionary.ts';
import type { GalleryEntry } from './entry.ts';
import { frankfurter } from './frankfurter.ts';
import { github } from './github.ts';
import { nagerDate } from './nager-date.ts';
import { nasa } from './nasa.ts';
import { openLibrary } from './open-library.ts';
import { openMeteo } from './open-meteo.ts';
import { pokeapi } from './pokeapi.ts';
import { restCountries } from './rest-countries.ts';
import { theMealDb } from './the-meal-db.ts';
import { wikipedia } from './wikipedia.ts';
import { xkcd } from './xkcd.ts';

export type { GalleryCredential, GalleryEntry } from './entry.ts';

/** What anybody may deploy with one call. Source: management-api.md. */
export const GALLERY: readonly GalleryEntry[] = [
  openMeteo,
  wikipedia,
  github,
  openLibrary,
  frankfurter,
  nagerDate,
  restCountries,
  nasa,
  dictionary,
  theMealDb,
  pokeapi,
  xkcd,
];
