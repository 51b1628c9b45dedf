import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { finding } from '../../platform/rules/refusal/finding.ts';
import type { Credential } from '../../target/rules/credential.ts';

type MutualTls = Extract<Credential, { type: 'mutual_tls' }>;

/** Characters: enough for a chain of certificates, and for an RSA key of 8192 bits. */
const MOST_CERTIFICATE = 32_768;
const MOST_KEY = 16_384;

/** Findings about a client certificate and its key. Repeats nothing of either. Source: RFC 5280; RFC 7468. */
export const certificateFindings = ({ certificate, privateKey }: MutualTls): readonly Finding[] => {
  const read = certificateIn(certificate);
  if (!read || certificate.length > MOST_CERTIFICATE) {
    return [
      finding(
        '/certificate',
        'no certificate in PEM',
        'Give the file that begins with -----BEGIN CERTIFICATE-----, those that it depends on behind it.',
      ),
    ];
  }
  const key = keyIn(privateKey);
  if (!key || privateKey.length > MOST_KEY) {
    return [
      finding(
        '/private_key',
        'no private key in PEM without a passphrase',
        'Take the passphrase off first: openssl pkey -in key.pem -out open.pem.',
      ),
    ];
  }
  return read.checkPrivateKey(key)
    ? []
    : [
        finding(
          '/private_key',
          'not the key of this certificate',
          'Give the two that belong together.',
        ),
      ];
};

/** Expiry of a certificate. @returns epoch seconds */
export const certificateEnd = (certificate: string): number | undefined => {
  const read = certificateIn(certificate);
  return read && Math.floor(Date.parse(read.validTo) / 1000);
};

const certificateIn = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
};

/** Swallows the parser's error, which may quote the key. */
const keyIn = (pem: string) => {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
};
