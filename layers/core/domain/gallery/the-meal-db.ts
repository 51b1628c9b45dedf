import type { GalleryEntry } from './entry.ts';

export const theMealDb: GalleryEntry = {
  id: 'themealdb',
  name: 'TheMealDB recipes',
  description: 'Recipes by name, ingredient, category or country, with pictures.',
  baseUrl: 'https://www.themealdb.com/api/json/v1/1',
  documentationUrl: 'https://www.themealdb.com/api.php',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: TheMealDB recipes
  version: '1'
servers:
  - url: https://www.themealdb.com/api/json/v1/1
paths:
  /search.php:
    get:
      operationId: searchMeals
      summary: Recipes by a part of their name
      parameters:
        - {name: s, in: query, required: true, description: A part of the name., schema: {type: string}}
      responses:
        '200': {description: Recipes, or null}
  /lookup.php:
    get:
      operationId: getMeal
      summary: A recipe by its id
      parameters:
        - {name: i, in: query, required: true, description: 'The id, such as 52772.', schema: {type: string}}
      responses:
        '200': {description: The recipe}
  /random.php:
    get:
      operationId: getRandomMeal
      summary: A recipe by chance
      responses:
        '200': {description: The recipe}
  /filter.php:
    get:
      operationId: filterMeals
      summary: Names and ids of meals of one ingredient, category or country; give one of them
      parameters:
        - {name: i, in: query, description: 'A main ingredient, with underscores for spaces: chicken_breast.', schema: {type: string}}
        - {name: c, in: query, description: A category., schema: {type: string}}
        - {name: a, in: query, description: 'A country as an adjective: Italian.', schema: {type: string}}
      responses:
        '200': {description: Meals, or null}
  /categories.php:
    get:
      operationId: listCategories
      summary: The categories with descriptions
      responses:
        '200': {description: Categories}
`,
};
