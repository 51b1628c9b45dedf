import type { GalleryEntry } from './entry.ts';

export const dictionary: GalleryEntry = {
  id: 'dictionary',
  name: 'Free Dictionary',
  description: 'What English words mean, with their sound, examples, synonyms and antonyms.',
  baseUrl: 'https://api.dictionaryapi.dev/api/v2',
  documentationUrl: 'https://dictionaryapi.dev/',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: Free Dictionary
  version: '2'
servers:
  - url: https://api.dictionaryapi.dev/api/v2
paths:
  /entries/en/{word}:
    get:
      operationId: lookUpWord
      summary: The entries of an English word
      parameters:
        - {name: word, in: path, required: true, schema: {type: string, minLength: 1}}
      responses:
        '200': {description: Its entries}
        '404': {description: It has none}
`,
};
