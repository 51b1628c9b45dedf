import * as z from 'zod';
import { AwsError } from './aws-error.ts';

export const blob = z.base64().transform((text) => Buffer.from(text, 'base64'));

/** Reads a request's members, and refuses those that the schema lacks: none is silently ignored. @throws AwsError */
export const readInput = <Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> => {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw errorOf(read.error.issues);
};

const errorOf = ([issue]: readonly z.core.$ZodIssue[]): AwsError => {
  const where = issue?.path.join('.') ?? '';
  switch (issue?.code) {
    case 'unrecognized_keys':
      return new AwsError(
        'ValidationException',
        `${issue.keys.join(', ')} is not implemented here.`,
      );
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) break;
      return unreadable(where);
    case 'invalid_format':
      if (issue.format === 'base64') return unreadable(where);
  }
  return new AwsError(
    'ValidationException',
    `1 validation error detected: Value at '${where}' failed to satisfy constraint: ${issue?.message}`,
  );
};

const unreadable = (where: string) =>
  new AwsError('SerializationException', `The value of ${where} cannot be read.`);
