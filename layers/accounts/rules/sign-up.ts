import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { lookAlikeFault } from '../../platform/rules/look-alike.ts';
import { domainOf, hasPlainDots, isEmail } from './email.ts';

const MAX_NAME_CHARACTERS = 100;

/** @param email - canonical */
export const emailFindings = (email: string): readonly Finding[] =>
  isMailAddress(email) && lookAlikeFault(domainOf(email), email) === undefined
    ? []
    : [
        {
          where: '/email',
          what: isMailAddress(email)
            ? 'a domain that looks like another one'
            : 'not an e-mail address',
          hint: 'Enter an address such as name@example.com.',
        },
      ];

const isMailAddress = (email: string): boolean => isEmail(email) && hasPlainDots(email);

/** The given name on one line, without control characters; absent if nothing is left. */
export const readName = (name: string | undefined): { readonly name?: string } => {
  const plain = (name ?? '')
    .toWellFormed()
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  return plain === '' ? {} : { name: [...plain].slice(0, MAX_NAME_CHARACTERS).join('') };
};
