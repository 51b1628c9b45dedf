import { fingerprint } from '../../platform/rules/fingerprint.ts';

const MOST_CHARACTERS = 64;
/** Hex digits: 128 bits, so that nobody finds another text of somebody's name. */
const OF_HASH = 32;
const OF_BEGINNING = MOST_CHARACTERS - OF_HASH - 1;

const VERBATIM = /^[\w+=,.@-]{2,64}$/;
const HASHED = /=[\da-f]{32}$/;

/**
 * What somebody is called at AWS, as name of a session, as source identity and as tag of one: no two texts are called
 * alike, since policies let people in by it and CloudTrail says by it who did what. Verbatim where STS takes it; else a
 * readable beginning, `=` and a hash, which also stand for a text that looks so.
 *
 * @param text - well-formed
 * Source: AWS STS API, "AssumeRole": `RoleSessionName`, `SourceIdentity`, `Tags`.
 */
export const awsName = (text: string): string => {
  if (VERBATIM.test(text) && !HASHED.test(text)) return text;
  const beginning = text.replaceAll(/[^\w+=,.@-]/g, '_').slice(0, OF_BEGINNING);
  return `${beginning}=${fingerprint(text).slice(0, OF_HASH)}`;
};
