import { X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';

const MOST = 3;
const LONGEST = 8000;

/** Blocks of PEM other than certificates are refused: a private key among them would be stored and shown. */
const BEGIN = /-----BEGIN [^-\n]*/g;

const isCertificate = (text: string): boolean => {
  try {
    const blocks = text.match(BEGIN) ?? [];
    return blocks.join() === '-----BEGIN CERTIFICATE' && new X509Certificate(text).raw.length > 0;
  } catch {
    // The error of OpenSSL would not help an owner.
    return false;
  }
};

const Certificates = z.array(z.string()).check((context) => {
  const texts = context.value;
  const wrong = texts.findIndex((text) => text.length > LONGEST || !isCertificate(text));
  const complain = (message: string) =>
    context.issues.push({ code: 'custom', path: [], input: undefined, message });
  if (texts.length > MOST) complain(`Give at most ${MOST} certificates.`);
  else if (wrong >= 0) {
    complain(
      `Write one certificate in PEM, from -----BEGIN CERTIFICATE-----, for each, and nothing else: number ${wrong + 1} is none.`,
    );
  }
});

/**
 * Certificates that a deployment's connections trust besides public authorities: a company's CA, or one that an API
 * has signed itself.
 * Source: docs/outgoing-calls.md, "Certificates of APIs".
 */
export const CertificateAuthorities = z.readonly(Certificates).register(z.globalRegistry, {
  description:
    'Certificates in PEM, at most 3, that calls of this deployment trust beside the public authorities: that of a company, or the one that the API has signed itself. ' +
    'Names and dates are checked all the same. None if it was never said.',
});
