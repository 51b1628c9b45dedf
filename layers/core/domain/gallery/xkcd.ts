import type { GalleryEntry } from './entry.ts';

export const xkcd: GalleryEntry = {
  id: 'xkcd',
  name: 'xkcd',
  description: 'The web comic: title, picture and transcript of any strip.',
  baseUrl: 'https://xkcd.com',
  documentationUrl: 'https://xkcd.com/json.html',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: xkcd
  version: '1'
servers:
  - url: https://xkcd.com
paths:
  /info.0.json:
    get:
      operationId: getLatestComic
      summary: The newest comic
      responses:
        '200': {description: Its number, date, title, alternative text and the address of its picture}
  /{number}/info.0.json:
    get:
      operationId: getComic
      summary: One comic by its number
      parameters:
        - {name: number, in: path, required: true, description: Counted from 1; there is no 404., schema: {type: integer, minimum: 1}}
      responses:
        '200': {description: The comic}
        '404': {description: There is none}
`,
};
