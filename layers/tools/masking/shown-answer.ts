import type { Credential } from '../../target/rules/credential.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import { MASK, maskingOf } from './mask-secrets.ts';

/** An answer's status and headers as the owner of the credential may see them. */
export interface ShownAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_HEADERS = 60;
const MOST_CHARACTERS = 1000;

/** Headers that carry secrets of the API's own, and parts of names that tell so. */
const SECRET_HEADERS = new Set(['set-cookie', 'authorization', 'authentication-info']);
const SECRET_PARTS = ['token', 'secret', 'password', 'api-key', 'apikey', 'session'];

/**
 * Status and headers of an answer: the credential is masked wherever it is repeated, and so are cookies and what
 * is called a token, a key or a secret. Up to 60 headers of up to 1,000 characters.
 *
 * @param sent - the arguments that the request was made of
 *
 * Source: docs/decisions/management.md, "Trying a tool".
 */
export const shownAnswer = (
  { status, headers }: TargetAnswer,
  credential: Credential | undefined,
  sent: unknown,
): ShownAnswer => {
  const mask = maskingOf(credential, sent).text;
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers)
        .slice(0, MOST_HEADERS)
        .map(([name, value]) => [
          name,
          isSecret(name) ? MASK : mask(value).slice(0, MOST_CHARACTERS).toWellFormed(),
        ]),
    ),
  };
};

const isSecret = (name: string): boolean =>
  SECRET_HEADERS.has(name) || SECRET_PARTS.some((part) => name.includes(part));
