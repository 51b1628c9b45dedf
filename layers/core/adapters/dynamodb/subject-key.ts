import { fingerprint } from '../../domain/oauth/records.ts';

/** Characters; a key may have 2,048 bytes. */
const MAX_SUBJECT = 256;

/** Subjects as keys: some are what a stranger sent, however long. */
export const subjectKey = (subject: string): string =>
  subject.length > MAX_SUBJECT ? fingerprint(subject) : subject;
