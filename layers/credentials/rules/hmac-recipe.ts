import { isForbiddenHeader } from './forbidden-headers.ts';
import { nearestName } from '../../platform/rules/nearest-name.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { finding, unless } from '../../platform/rules/refusal/finding.ts';
import { HMAC_PARTS, partsOf } from '../../target/rules/hmac.ts';
import type { Credential } from '../../target/rules/credential.ts';

type Hmac = Extract<Credential, { type: 'hmac' }>;

const MOST_HEADERS = 10;
const MOST_TEXT = 1000;
const HEADER = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** Parts of a request that headers can contain: not the body. */
const IN_HEADERS = [...HMAC_PARTS.filter((part) => part !== 'body'), 'signature'];

export const hmacFindings = ({ signed, headers, secret, keyId = '' }: Hmac): readonly Finding[] => {
  const entries = Object.entries(headers);
  return [
    ...unless(secret !== '', '/secret', 'empty', 'Give the secret.'),
    ...unless(/^[\x20-\x7e]{0,256}$/.test(keyId), '/key_id', 'no text for a header', 'Use ASCII.'),
    ...templateFindings('/signed', signed, HMAC_PARTS),
    ...unless(
      entries.length > 0 && entries.length <= MOST_HEADERS,
      '/headers',
      `${entries.length} headers`,
      `Name between 1 and ${MOST_HEADERS}.`,
    ),
    ...unless(
      entries.some(([, value]) => partsOf(value).includes('signature')),
      '/headers',
      'none has the signature',
      'Write {signature} where it goes: {"X-Signature": "{signature}"}.',
    ),
    ...entries.flatMap(([name, value]) => [
      ...unless(
        HEADER.test(name) && !isForbiddenHeader(name),
        `/headers/${name.slice(0, 100)}`,
        'not a header that credentials may set',
        'Choose one that says nothing of the connection or the message.',
      ),
      ...unless(
        !/[\r\n]/.test(value),
        `/headers/${name.slice(0, 100)}`,
        'has a line break',
        'Write it in one line.',
      ),
      ...templateFindings(`/headers/${name.slice(0, 100)}`, value, IN_HEADERS),
    ]),
  ];
};

const templateFindings = (
  where: string,
  template: string,
  known: readonly string[],
): readonly Finding[] => {
  if (template === '' || template.length > MOST_TEXT) {
    return [finding(where, 'empty, or too long', `Write at most ${MOST_TEXT} characters.`)];
  }
  return partsOf(template)
    .filter((part) => !known.includes(part))
    .map((part) => {
      const nearest = nearestName(part, known);
      const hint = `It can be ${known.map((one) => `{${one}}`).join(', ')}.`;
      return finding(
        where,
        `{${part.slice(0, 40)}} is no part of a request`,
        nearest === undefined ? hint : `Did you mean {${nearest}}?`,
      );
    });
};
