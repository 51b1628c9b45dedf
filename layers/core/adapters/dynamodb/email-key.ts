import { fingerprint } from '../../domain/oauth/records.ts';

/** E-mails as keys: of one length, and no address in a key or in what reports one. */
export const emailKey = (email: string): string => fingerprint(email.toLowerCase());
