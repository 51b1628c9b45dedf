import type { GalleryEntry } from './entry.ts';

export const pokeapi: GalleryEntry = {
  id: 'pokeapi',
  name: 'PokéAPI',
  description: 'Everything about Pokémon: species, types, moves, abilities and how they evolve.',
  baseUrl: 'https://pokeapi.co/api/v2',
  documentationUrl: 'https://pokeapi.co/docs/v2',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: PokeAPI
  version: '2'
servers:
  - url: https://pokeapi.co/api/v2
paths:
  /pokemon:
    get:
      operationId: listPokemon
      summary: Names of Pokemon, page by page
      parameters:
        - {name: limit, in: query, description: Twenty if omitted., schema: {type: integer, minimum: 1}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0}}
      responses:
        '200': {description: A page of names}
  /pokemon/{id_or_name}:
    parameters: [{$ref: '#/components/parameters/IdOrName'}]
    get:
      operationId: getPokemon
      summary: A Pokemon's stats, types, abilities, moves and pictures
      responses:
        '200': {description: The Pokemon}
        '404': {description: There is none}
  /pokemon-species/{id_or_name}:
    parameters: [{$ref: '#/components/parameters/IdOrName'}]
    get:
      operationId: getSpecies
      summary: A species' descriptions, habitat, and the address of its evolution chain
      responses:
        '200': {description: The species}
  /evolution-chain/{id}:
    get:
      operationId: getEvolutionChain
      summary: How a family of Pokemon evolves
      parameters:
        - {name: id, in: path, required: true, description: At the end of the address that a species names., schema: {type: integer, minimum: 1}}
      responses:
        '200': {description: The chain}
  /type/{id_or_name}:
    parameters: [{$ref: '#/components/parameters/IdOrName'}]
    get:
      operationId: getType
      summary: What a type is strong and weak against
      responses:
        '200': {description: The type}
  /move/{id_or_name}:
    parameters: [{$ref: '#/components/parameters/IdOrName'}]
    get:
      operationId: getMove
      summary: A move's power, accuracy and effect
      responses:
        '200': {description: The move}
  /ability/{id_or_name}:
    parameters: [{$ref: '#/components/parameters/IdOrName'}]
    get:
      operationId: getAbility
      summary: What an ability does and who has it
      responses:
        '200': {description: The ability}
components:
  parameters:
    IdOrName:
      name: id_or_name
      in: path
      required: true
      description: A number, or a lower-case name with dashes, such as mr-mime.
      schema: {type: string}
`,
};
