import type { GalleryEntry } from './entry.ts';

export const nasa: GalleryEntry = {
  id: 'nasa',
  name: 'NASA',
  description: 'The astronomy picture of the day, and asteroids that come near the earth.',
  baseUrl: 'https://api.nasa.gov',
  documentationUrl: 'https://api.nasa.gov/',
  credential: {
    need: 'required',
    help: 'Sign up at https://api.nasa.gov for a free key, or try DEMO_KEY (30 requests an hour). Set it as an API key named api_key in the query.',
  },
  openapi: `openapi: 3.1.0
info:
  title: NASA
  version: '1'
servers:
  - url: https://api.nasa.gov
security:
  - key: []
paths:
  /planetary/apod:
    get:
      operationId: getPictureOfTheDay
      summary: The astronomy picture of the day, with its explanation
      description: Give a date, or a period, or a count of pictures by chance; today's without any.
      parameters:
        - {name: date, in: query, schema: {type: string, format: date}}
        - {name: start_date, in: query, schema: {type: string, format: date}}
        - {name: end_date, in: query, description: Today if omitted., schema: {type: string, format: date}}
        - {name: count, in: query, description: That many by chance; not with dates., schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: thumbs, in: query, description: Whether videos come with a picture., schema: {type: boolean}}
      responses:
        '200': {description: A picture, or a list of them}
  /neo/rest/v1/feed:
    get:
      operationId: listNearAsteroids
      summary: Asteroids by their closest approach to the earth, for at most seven days
      parameters:
        - {name: start_date, in: query, required: true, schema: {type: string, format: date}}
        - {name: end_date, in: query, description: Seven days later if omitted., schema: {type: string, format: date}}
      responses:
        '200': {description: Asteroids by day}
  /neo/rest/v1/neo/{asteroid_id}:
    get:
      operationId: getAsteroid
      summary: An asteroid, its orbit and all its approaches
      parameters:
        - {name: asteroid_id, in: path, required: true, description: As lists name it., schema: {type: string}}
      responses:
        '200': {description: The asteroid}
components:
  securitySchemes:
    key: {type: apiKey, name: api_key, in: query}
`,
};
