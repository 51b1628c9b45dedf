import type { GalleryEntry } from './entry.ts';

export const nagerDate: GalleryEntry = {
  id: 'nager-date',
  name: 'Nager.Date public holidays',
  description: 'Public holidays and long weekends of more than a hundred countries.',
  baseUrl: 'https://date.nager.at/api/v3',
  documentationUrl: 'https://date.nager.at/Api',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: Public holidays
  version: '3'
servers:
  - url: https://date.nager.at/api/v3
paths:
  /AvailableCountries:
    get:
      operationId: listCountries
      summary: The countries whose holidays are known
      responses:
        '200': {description: Codes and names}
  /PublicHolidays/{year}/{countryCode}:
    get:
      operationId: listHolidays
      summary: The public holidays of a country in a year
      parameters:
        - $ref: '#/components/parameters/Year'
        - $ref: '#/components/parameters/Country'
      responses:
        '200': {description: Holidays}
        '404': {description: The country is unknown}
  /LongWeekend/{year}/{countryCode}:
    get:
      operationId: listLongWeekends
      summary: The long weekends of a country in a year, with the days off that they take
      parameters:
        - $ref: '#/components/parameters/Year'
        - $ref: '#/components/parameters/Country'
      responses:
        '200': {description: Weekends}
  /NextPublicHolidays/{countryCode}:
    get:
      operationId: listNextHolidays
      summary: The public holidays of a country in the next 365 days
      parameters:
        - $ref: '#/components/parameters/Country'
      responses:
        '200': {description: Holidays}
  /IsTodayPublicHoliday/{countryCode}:
    get:
      operationId: isTodayHoliday
      summary: Whether today is a public holiday, which the status says
      parameters:
        - $ref: '#/components/parameters/Country'
      responses:
        '200': {description: It is}
        '204': {description: It is not}
components:
  parameters:
    Year:
      name: year
      in: path
      required: true
      schema: {type: integer, minimum: 1975, maximum: 2075}
    Country:
      name: countryCode
      in: path
      required: true
      description: Two letters of ISO 3166, such as DE.
      schema: {type: string, pattern: '^[A-Z]{2}$'}
`,
};
