import { asciiLowerCase } from '../../platform/rules/text.ts';

const MAX_LENGTH = 254;
/** Address syntax that mail servers accept without extensions and that `<input type="email">` allows. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Changes ASCII letters only: some others share a lower case, so that two mailboxes could become one account. */
export const canonicalEmail = (text: string): string => asciiLowerCase(text.trim());

const BEGINNING = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]*$/;

/** Whether an account's address may start with this text, which may be empty. @param text - canonical */
export const isEmailBeginning = (text: string): boolean =>
  text.length <= MAX_LENGTH && BEGINNING.test(text);

/** @param email - canonical */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_LENGTH && ADDRESS.test(email);

/**
 * Whether mail can be sent to it. SES refuses a local part with a dot at either end or two in a row (RFC 5321 §4.1.2),
 * and a domain of one label; people whom a company vouches for may have such addresses.
 * @param sender - who may write to its own host, as the local service does at `localhost`
 */
export const isMailable = (email: string, sender = ''): boolean =>
  hasPlainDots(email) && (domainOf(email).includes('.') || domainOf(email) === domainOf(sender));

/** @param email - canonical */
export const hasPlainDots = (email: string): boolean => !/^\.|\.\.|\.@/.test(email);

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
