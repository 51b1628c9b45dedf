import type { Finding } from '../refusal.ts';
import { isEmail } from './email.ts';
import { passwordFault } from './password-rules.ts';

const MAX_NAME_CHARACTERS = 100;

/** What is wrong with what somebody signs up with. @param email - canonical */
export const signUpFindings = (email: string, password: string): readonly Finding[] => [
  ...emailFindings(email),
  ...passwordFindings(password, email),
];

/** @param email - canonical */
export const emailFindings = (email: string): readonly Finding[] =>
  isEmail(email)
    ? []
    : [
        {
          where: '/email',
          what: 'not an e-mail address',
          mend: 'Enter an address such as name@example.com.',
        },
      ];

/** @param email - canonical */
export const passwordFindings = (password: string, email: string): readonly Finding[] => {
  const fault = passwordFault(password, email);
  return fault ? [{ where: '/password', ...fault }] : [];
};

/** The name that somebody gave, in one line; nothing if none is left. */
export const readName = (name: string | undefined): { readonly name?: string } => {
  const plain = (name ?? '')
    .toWellFormed()
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  return plain === '' ? {} : { name: [...plain].slice(0, MAX_NAME_CHARACTERS).join('') };
};
