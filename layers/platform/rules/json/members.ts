import { isObject, type Json, type JsonObject, member } from './json.ts';

/** A value that is an object, else an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const objectMember = (object: JsonObject, key: string): JsonObject =>
  objectOf(member(object, key));

/** A value that is a list, else an empty one. */
export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];

export const listMember = (object: JsonObject, key: string): readonly Json[] =>
  listOf(member(object, key));
