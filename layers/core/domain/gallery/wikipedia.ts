import type { GalleryEntry } from './entry.ts';

export const wikipedia: GalleryEntry = {
  id: 'wikipedia',
  name: 'Wikipedia',
  description: 'Finds articles of Wikipedia and reads their summaries and texts.',
  baseUrl: 'https://en.wikipedia.org',
  documentationUrl: 'https://www.mediawiki.org/wiki/API:REST_API',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: Wikipedia
  version: '1'
servers:
  - url: https://{language}.wikipedia.org
    variables:
      language:
        default: en
        description: The language of the encyclopedia, such as de or fr.
paths:
  /w/rest.php/v1/search/page:
    get:
      operationId: searchArticles
      summary: Articles whose text fits a search
      parameters:
        - {name: q, in: query, required: true, description: What to look for., schema: {type: string}}
        - {name: limit, in: query, description: Fifty if omitted., schema: {type: integer, minimum: 1, maximum: 100}}
      responses:
        '200': {description: Articles with a short excerpt}
  /w/rest.php/v1/search/title:
    get:
      operationId: searchTitles
      summary: Articles whose title begins so
      parameters:
        - {name: q, in: query, required: true, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      responses:
        '200': {description: Articles}
  /api/rest_v1/page/summary/{title}:
    get:
      operationId: getSummary
      summary: The first paragraph of an article, with its picture and address
      parameters:
        - $ref: '#/components/parameters/Title'
      responses:
        '200': {description: The summary}
        '404': {description: There is no such article}
  /w/rest.php/v1/page/{title}:
    get:
      operationId: getArticle
      summary: A whole article in wikitext
      parameters:
        - $ref: '#/components/parameters/Title'
      responses:
        '200': {description: The article with its licence and latest revision}
  /w/rest.php/v1/page/{title}/links/language:
    get:
      operationId: listTranslations
      summary: The same article in other languages
      parameters:
        - $ref: '#/components/parameters/Title'
      responses:
        '200': {description: Titles by language}
components:
  parameters:
    Title:
      name: title
      in: path
      required: true
      description: As in the article's address, with underscores for spaces.
      schema: {type: string}
`,
};
