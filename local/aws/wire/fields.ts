import type { Json } from './json.ts';
import { AwsRefusal } from './refusal.ts';

/**
 * Reads members of a request. What has the wrong type, or is missing, is refused as AWS does, by name.
 *
 * @throws AwsRefusal
 */
export const text = (input: Json, name: string): string =>
  optionalText(input, name) ?? missing(name);

export const optionalText = (input: Json, name: string): string | undefined => {
  const value = input[name] ?? undefined;
  return value === undefined || typeof value === 'string' ? value : wrongType(name);
};

export const optionalNumber = (input: Json, name: string): number | undefined => {
  const value = input[name] ?? undefined;
  return value === undefined || Number.isSafeInteger(value) ? (value as number) : wrongType(name);
};

export const optionalBoolean = (input: Json, name: string): boolean | undefined => {
  const value = input[name] ?? undefined;
  return value === undefined || typeof value === 'boolean' ? value : wrongType(name);
};

/** One of the given words; the first if the member is missing. */
export const choice = <Word extends string>(
  input: Json,
  name: string,
  [first, ...others]: readonly [Word, ...Word[]],
): Word => {
  const value = optionalText(input, name) ?? first;
  return [first, ...others].find((word) => word === value) ?? notAllowed(name);
};

/** Bytes, Base64 on the wire. */
export const blob = (input: Json, name: string): Buffer =>
  optionalBlob(input, name) ?? missing(name);

export const optionalBlob = (input: Json, name: string): Buffer | undefined => {
  const value = optionalText(input, name);
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? bytes : wrongType(name);
};

export const optionalObject = (input: Json, name: string): Json | undefined => {
  const value = input[name] ?? undefined;
  return value === undefined || (typeof value === 'object' && !Array.isArray(value))
    ? (value as Json | undefined)
    : wrongType(name);
};

export const textList = (input: Json, name: string): readonly string[] => {
  const value = input[name] ?? [];
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? (value as string[])
    : wrongType(name);
};

/** Refuses members that ask for something that is not implemented, so that nothing is ignored in silence. */
export const refuseMembers = (input: Json, ...names: readonly string[]): void => {
  const sent = names.find((name) => input[name] !== undefined && input[name] !== null);
  if (sent !== undefined) throw invalid(`${sent} is not implemented here.`);
};

export const invalid = (message: string) => new AwsRefusal('ValidationException', message);

const missing = (name: string): never => {
  throw invalid(`1 validation error detected: Value at '${name}' must not be null`);
};

const wrongType = (name: string): never => {
  throw new AwsRefusal('SerializationException', `The value of ${name} has the wrong type.`);
};

const notAllowed = (name: string): never => {
  throw invalid(`1 validation error detected: Value at '${name}' is not one of the allowed values`);
};
