import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';

/**
 * Reads a stored item, which is believed no more than any other input.
 *
 * @param what - names the item in the Fault: `deployment weather`
 * @throws Fault if the item does not have its form
 */
export const stored = <Schema extends z.ZodMiniType>(
  schema: Schema,
  item: unknown,
  what: string,
): z.output<Schema> => {
  const read = z.safeParse(schema, item);
  if (!read.success) throw new Fault('dynamodb', `${what} is not readable`, read.error);
  return read.data;
};
