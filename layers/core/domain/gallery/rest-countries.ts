import type { GalleryEntry } from './entry.ts';

export const restCountries: GalleryEntry = {
  id: 'rest-countries',
  name: 'REST Countries',
  description: 'Facts about countries: capital, population, languages, currencies, borders, flags.',
  baseUrl: 'https://restcountries.com/v3.1',
  documentationUrl: 'https://restcountries.com/',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: REST Countries
  version: '3.1'
servers:
  - url: https://restcountries.com/v3.1
paths:
  /name/{name}:
    get:
      operationId: findCountriesByName
      summary: Countries by their common or official name, or a part of it
      parameters:
        - {name: name, in: path, required: true, schema: {type: string}}
        - {name: fullText, in: query, description: Only the whole name., schema: {type: boolean}}
        - $ref: '#/components/parameters/Fields'
      responses:
        '200': {description: Countries}
        '404': {description: There is none}
  /alpha/{code}:
    get:
      operationId: getCountryByCode
      summary: A country by its code of ISO 3166
      parameters:
        - {name: code, in: path, required: true, description: Two or three letters or three digits., schema: {type: string, minLength: 2, maxLength: 3}}
        - $ref: '#/components/parameters/Fields'
      responses:
        '200': {description: The country}
  /capital/{capital}:
    get:
      operationId: findCountriesByCapital
      summary: Countries by their capital
      parameters:
        - {name: capital, in: path, required: true, schema: {type: string}}
        - $ref: '#/components/parameters/Fields'
      responses:
        '200': {description: Countries}
  /region/{region}:
    get:
      operationId: listCountriesOfRegion
      summary: The countries of a part of the world
      parameters:
        - {name: region, in: path, required: true, schema: {type: string, enum: [africa, americas, antarctic, asia, europe, oceania]}}
        - $ref: '#/components/parameters/Fields'
      responses:
        '200': {description: Countries}
  /currency/{currency}:
    get:
      operationId: findCountriesByCurrency
      summary: Countries that pay with a currency
      parameters:
        - {name: currency, in: path, required: true, description: Its code or its name., schema: {type: string}}
        - $ref: '#/components/parameters/Fields'
      responses:
        '200': {description: Countries}
  /lang/{language}:
    get:
      operationId: findCountriesByLanguage
      summary: Countries that speak a language
      parameters:
        - {name: language, in: path, required: true, description: Its code or its name., schema: {type: string}}
        - $ref: '#/components/parameters/Fields'
      responses:
        '200': {description: Countries}
components:
  parameters:
    Fields:
      name: fields
      in: query
      description: Only these, which keeps the answer short.
      explode: false
      schema:
        type: array
        maxItems: 10
        items:
          type: string
          enum: [name, cca2, cca3, capital, region, subregion, languages, currencies, population, area,
            borders, flag, flags, maps, latlng, timezones, continents, tld, idd, independent]
`,
};
