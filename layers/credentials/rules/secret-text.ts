import { NotJson, parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** A text that cannot be used as a secret. The message never repeats the text. */
export class UnusableSecret extends Error {
  override readonly name = 'UnusableSecret';
}

const OBJECTS: readonly string[] = ['private_jwk'];

/**
 * Parses a secret given as text: typed, in a variable, in a file, or in AWS Secrets Manager. Command line, declarations
 * and the CDK's function all use it, so that no error shows the secret.
 *
 * @param member - of the credential, as the management API calls it
 * @param text - as it was found; a final line break is dropped
 * @throws UnusableSecret
 */
export const secretIn = (member: string, text: string): unknown => {
  const secret = text.replace(/\r?\n$/, '');
  return OBJECTS.includes(member) ? objectIn(secret) : secret;
};

/** One field of a secret that is a JSON object. @throws UnusableSecret */
export const secretField = (text: string, field: string): string => {
  const object = objectIn(text);
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new UnusableSecret(`it has no field ${field} with a text or a number`);
};

/** @throws UnusableSecret */
export const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value = parsedJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new UnusableSecret(`it is ${error.message}`);
  }
  throw new UnusableSecret('it is JSON, but no object');
};
