import { certificateEnd } from '../../../credentials/rules/client-certificate.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import { DAY, timeOf } from '../../../platform/rules/time.ts';
import type { PlatformPorts } from '../../../platform/ports.ts';
import type { Credential, OpenCredential } from '../../../target/rules/credential.ts';

/** Adds the expiry to a client certificate. @throws ApiRefusal invalid_request for an expired one */
export const withCertificateEnd = (
  { clock }: Pick<PlatformPorts, 'clock'>,
  credential: Credential,
): Credential => {
  if (credential.type !== 'mutual_tls') return credential;
  const end = certificateEnd(credential.certificate) ?? 0;
  if (end <= clock.now()) {
    throw new ApiRefusal('invalid_request', 'This credential cannot be used.', {
      where: '/certificate',
      what: `has ended on ${timeOf(end).slice(0, 10)}`,
      hint: 'Give one that is still good.',
    });
  }
  return { ...credential, notAfter: timeOf(end) };
};

const SOON_DAYS = 30;

export const endingCertificate = (
  { clock }: Pick<PlatformPorts, 'clock'>,
  credential: OpenCredential,
): readonly Finding[] => {
  if (credential.type !== 'mutual_tls' || credential.notAfter === undefined) return [];
  const left = Date.parse(credential.notAfter) / 1000 - clock.now();
  if (left > SOON_DAYS * DAY) return [];
  const what = `the client certificate ${left > 0 ? 'ends' : 'has ended'} on ${credential.notAfter.slice(0, 10)}`;
  return [
    { where: '/certificate', what, hint: 'Set the next one before that: calls fail from then on.' },
  ];
};
