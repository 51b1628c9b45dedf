import type { GalleryEntry } from './entry.ts';

export const openLibrary: GalleryEntry = {
  id: 'open-library',
  name: 'Open Library',
  description: 'Books, their editions and their authors, from a catalogue that anybody may edit.',
  baseUrl: 'https://openlibrary.org',
  documentationUrl: 'https://openlibrary.org/developers/api',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: Open Library
  version: '1'
servers:
  - url: https://openlibrary.org
paths:
  /search.json:
    get:
      operationId: searchBooks
      summary: Works by words, title, author or subject
      parameters:
        - {name: q, in: query, description: Words from anywhere., schema: {type: string}}
        - {name: title, in: query, schema: {type: string}}
        - {name: author, in: query, schema: {type: string}}
        - {name: subject, in: query, schema: {type: string}}
        - name: fields
          in: query
          description: What is answered of each, such as key, title, author_name, first_publish_year.
          explode: false
          schema: {type: array, items: {type: string}}
        - {name: sort, in: query, schema: {type: string, enum: [new, old, rating, random]}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: page, in: query, description: Counted from 1., schema: {type: integer, minimum: 1}}
      responses:
        '200': {description: Works}
  /search/authors.json:
    get:
      operationId: searchAuthors
      summary: Authors by name
      parameters:
        - {name: q, in: query, required: true, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      responses:
        '200': {description: Authors}
  /works/{work}.json:
    get:
      operationId: getWork
      summary: A work, whatever its edition
      parameters:
        - {name: work, in: path, required: true, description: 'As in the key of a search, such as OL45804W.', schema: {type: string, pattern: '^OL[0-9]+W$'}}
      responses:
        '200': {description: The work}
  /works/{work}/editions.json:
    get:
      operationId: listEditions
      summary: The editions of a work
      parameters:
        - {name: work, in: path, required: true, schema: {type: string, pattern: '^OL[0-9]+W$'}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0}}
      responses:
        '200': {description: Editions}
  /isbn/{isbn}.json:
    get:
      operationId: getEditionByIsbn
      summary: An edition by its ISBN
      parameters:
        - {name: isbn, in: path, required: true, description: Ten or thirteen digits without dashes., schema: {type: string}}
      responses:
        '200': {description: The edition}
        '404': {description: It is unknown}
  /authors/{author}.json:
    get:
      operationId: getAuthor
      summary: An author
      parameters:
        - {name: author, in: path, required: true, description: Such as OL26320A., schema: {type: string, pattern: '^OL[0-9]+A$'}}
      responses:
        '200': {description: The author}
`,
};
