import type { GalleryEntry } from './entry.ts';

export const frankfurter: GalleryEntry = {
  id: 'frankfurter',
  name: 'Frankfurter exchange rates',
  description: 'Reference exchange rates of the European Central Bank, of today and since 1999.',
  baseUrl: 'https://api.frankfurter.dev/v1',
  documentationUrl: 'https://frankfurter.dev/',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: Frankfurter exchange rates
  version: '1'
servers:
  - url: https://api.frankfurter.dev/v1
paths:
  /latest:
    get:
      operationId: getLatestRates
      summary: The rates of the last working day
      parameters:
        - $ref: '#/components/parameters/Base'
        - $ref: '#/components/parameters/Symbols'
      responses:
        '200': {description: Rates}
  /currencies:
    get:
      operationId: listCurrencies
      summary: Codes and names of all currencies
      responses:
        '200': {description: Names by code}
  /{date}:
    get:
      operationId: getRatesOfDay
      summary: The rates of a day
      parameters:
        - {name: date, in: path, required: true, schema: {type: string, format: date}}
        - $ref: '#/components/parameters/Base'
        - $ref: '#/components/parameters/Symbols'
      responses:
        '200': {description: Rates}
  /{start}..{end}:
    get:
      operationId: getRatesOfPeriod
      summary: The rates of each working day of a period
      parameters:
        - {name: start, in: path, required: true, schema: {type: string, format: date}}
        - {name: end, in: path, required: true, schema: {type: string, format: date}}
        - $ref: '#/components/parameters/Base'
        - $ref: '#/components/parameters/Symbols'
      responses:
        '200': {description: Rates by day}
components:
  parameters:
    Base:
      name: base
      in: query
      description: Of what one unit is priced; EUR if omitted.
      schema: {type: string, pattern: '^[A-Z]{3}$'}
    Symbols:
      name: symbols
      in: query
      description: Which currencies are answered; all if omitted.
      explode: false
      schema: {type: array, items: {type: string, pattern: '^[A-Z]{3}$'}}
`,
};
