import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { NoAnswer, type NoAnswerReason } from '../rules/target.ts';

/**
 * Turns an error into a NoAnswer. Its message has only origin and error codes, and no cause is kept: Node's errors
 * can contain bytes of an answer, and URLs secrets.
 * @param socket - the connection, if there was one
 */
export const failure = (error: unknown, origin: string, socket: Socket | null): NoAnswer => {
  if (error instanceof NoAnswer) return error;
  const codes = codesOf(error);
  const reason = reasonOf(codes, isHandshakeOpen(socket));
  return new NoAnswer(reason, `${origin}: ${codes.join(', ') || 'no error code'}`);
};

/** Whether the connection was lost before an answer, as happens to long idle ones. */
export const isReset = (error: unknown): boolean =>
  codesOf(error).some((code) => code === 'ECONNRESET' || code === 'EPIPE');

const reasonOf = (codes: readonly string[], isHandshakeOpen: boolean): NoAnswerReason => {
  if (codes.some((code) => OF_CLIENT_CERTIFICATES.has(code))) return 'client_certificate_refused';
  const byCode = REASONS.find(([pattern]) => codes.some((code) => pattern.test(code)));
  if (byCode) return byCode[1];
  return isHandshakeOpen ? 'tls_failure' : 'connection_failed';
};

/** TLS alerts about the client's certificate, or its absence. Source: RFC 8446 §6.2. */
const OF_CLIENT_CERTIFICATES: ReadonlySet<string> = new Set([
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
]);

/** The first pattern that matches any code decides; each address that failed has a code. */
const REASONS: readonly (readonly [RegExp, NoAnswerReason])[] = [
  [/^(ENOTFOUND|ENODATA|EAI_)/, 'dns_failure'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(EHOST|ENET|EADDR)/, 'connection_failed'],
  [/^HPE_/, 'invalid_response'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'certificate_self_signed'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED$)/,
    'certificate_of_unknown_authority',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate_expired'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'certificate_of_another_host'],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, 'tls_failure'],
  [/^ERR_(INVALID|UNESCAPED|HTTP)_/, 'invalid_request'],
];

const isHandshakeOpen = (socket: Socket | null): boolean =>
  socket instanceof TLSSocket && !socket.authorized;

/** Node reports one error for each address that it tried. */
const codesOf = (error: unknown): string[] => {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  const own = typeof code === 'string' ? [code] : [];
  return Array.isArray(errors) ? Array.from(new Set([...own, ...errors.flatMap(codesOf)])) : own;
};
