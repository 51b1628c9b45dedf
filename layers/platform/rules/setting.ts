import * as z from 'zod/mini';
import { jsonOrUndefined } from './json/parsed-json.ts';
import type { ValueOf } from './shape.ts';

/**
 * Parses an operator's setting from a function's environment, by the schema that validates the stage's file: JSON or a
 * plain word.
 * @throws Error whose message tells the operator what is wrong and where
 */
export const readSetting = <Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string | undefined,
): ValueOf<Schema> => {
  const read = z.safeParse(schema, jsonOrUndefined(text ?? '') ?? text);
  if (read.success) return read.data as ValueOf<Schema>;
  const [{ path, message } = { path: [], message: 'it is not usable' }] = read.error.issues;
  throw new Error(path.length === 0 ? message : `${path.join('.')}: ${message}`);
};
