import { isObject, type Json, type JsonObject, member } from './json.ts';

/** The value if it is an object; anything else counts as an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const objectMember = (object: JsonObject, key: string): JsonObject =>
  objectOf(member(object, key));

/** The value if it is a list; anything else counts as an empty one. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

export const listMember = (object: JsonObject, key: string): readonly Json[] =>
  listOf(member(object, key));
