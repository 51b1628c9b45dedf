import { OAuthRefusal } from './refusal/oauth-refusal.ts';

/** All values by name: strings from a form, any JSON values from a JSON body. */
export type SentParameters = ReadonlyMap<string, readonly unknown[]>;

/**
 * Value of a parameter. An empty one counts as not sent; unknown parameters are ignored.
 * @throws OAuthRefusal invalid_request if it was sent twice or is no string
 * Source: RFC 6749 §3.1, §3.2.
 */
export const optionalParameter = (sent: SentParameters, name: string): string | undefined => {
  const [value, ...others] = sent.get(name) ?? [];
  if (others.length > 0) throw invalid(`The parameter ${name} was sent more than once.`);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(`The parameter ${name} must be a string.`);
  return value;
};

/** @throws OAuthRefusal invalid_request. Source: docs/protocol.md, "Token endpoint". */
export const requiredParameter = (sent: SentParameters, name: string): string => {
  const value = optionalParameter(sent, name);
  if (value === undefined) throw invalid(`The parameter ${name} is missing.`);
  return value;
};

const invalid = (description: string) => new OAuthRefusal('invalid_request', description);
