import { fingerprint } from '../../platform/rules/fingerprint.ts';

const MOST_CHARACTERS = 64;
/** Hex digits: 128 bits, so that nobody can find a second name with the same hash. */
const OF_HASH = 32;
const OF_BEGINNING = MOST_CHARACTERS - OF_HASH - 1;

/** Names of sessions may have commas, and values of tags may not. */
const VERBATIM = /^[\w+=.@-]{2,64}$/;
const HASHED = /=[\da-f]{32}$/;

/**
 * Name of a person or deployment in AWS: session name, source identity and session tag. Different texts get different
 * names, since policies grant access by them and CloudTrail logs them. A text that STS accepts stays as it is; any
 * other becomes a readable beginning, `=` and a hash, and so does a text that looks like such a result.
 *
 * @param text - well-formed Unicode
 * Source: AWS STS API, "AssumeRole": `RoleSessionName`, `SourceIdentity`, `Tags`.
 */
export const awsName = (text: string): string => {
  if (VERBATIM.test(text) && !HASHED.test(text)) return text;
  const beginning = text.replaceAll(/[^\w+=.@-]/g, '_').slice(0, OF_BEGINNING);
  return `${beginning}=${fingerprint(text).slice(0, OF_HASH)}`;
};
