import * as z from 'zod/mini';
import { jsonOrUndefined } from './json/parsed-json.ts';
import type { ValueOf } from './shape.ts';

/**
 * Reads a setting of operators as functions are given it, by the schema that the file of a stage is held to: JSON, or a
 * word as it is.
 *
 * @throws Error that says what is wrong and where, in words for the operator
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
