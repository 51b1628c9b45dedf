import * as z from 'zod/mini';
import { Fault } from '../rules/fault.ts';

/** One schema per field of a type, so that a field that joins the type cannot be forgotten. */
export type Fields<Type> = Record<keyof Type, z.ZodMiniType>;

/**
 * Reads a stored item, which is believed no more than any other input. Its keys, and what it holds for the
 * store's own sake, fall away.
 *
 * @param what - names the item in the Fault: `deployment weather`
 * @throws Fault if the item does not have its form
 */
export const parseItem = <Schema extends z.ZodMiniType>(
  schema: Schema,
  item: unknown,
  what: string,
): z.output<Schema> => {
  const read = z.safeParse(schema, item);
  if (!read.success) throw new Fault('dynamodb', `${what} is not readable`, read.error);
  return read.data;
};

/** The same of JSON text. @throws Fault */
export const parseJson = <Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  what: string,
): z.output<Schema> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Fault('dynamodb', `${what} is not JSON`, cause);
  }
  return parseItem(schema, parsed, what);
};
