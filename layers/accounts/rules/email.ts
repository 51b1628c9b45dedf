import { asciiLowerCase } from '../../platform/rules/text.ts';

const MAX_LENGTH = 254;
/** What a mail server takes without extensions, and a browser's e-mail field lets through. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * An e-mail address as accounts are known by it. Only ASCII letters change: the lower case of some
 * others is another letter's, so that one mailbox would pass for a second.
 */
export const canonicalEmail = (text: string): string => asciiLowerCase(text.trim());

/** Characters that addresses of accounts have. */
const BEGINNING = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]*$/;

/** Whether the address of an account may begin so, or be empty. @param text - canonical */
export const isEmailBeginning = (text: string): boolean =>
  text.length <= MAX_LENGTH && BEGINNING.test(text);

/** Whether an account can be made for it. @param email - canonical */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_LENGTH && ADDRESS.test(email);
