import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CertificateAuthorities } from '../../layers/deployments/rules/certificate-authorities.ts';
import { certificatesIn } from '../../layers/target/rules/pem.ts';
import { messageOf, StartRefused } from './start-refused.ts';

/** Certificates of PEM files. @param here - the folder that relative paths begin in @throws StartRefused */
export const authoritiesIn = (here: string, files: readonly string[] = []): readonly string[] => {
  const texts = files.flatMap((file) => {
    const text = textOf(resolve(here, file));
    return certificatesIn(text);
  });
  const read = CertificateAuthorities.safeParse(texts);
  if (read.success) return read.data;
  throw refused(read.error.issues[0]?.message ?? 'there is no certificate');
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw refused(messageOf(error));
  }
};

const refused = (why: string): StartRefused =>
  new StartRefused(`--certificate-authority must be a file of certificates in PEM: ${why}`);
