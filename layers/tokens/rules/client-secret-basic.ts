/**
 * The `Authorization` header by which an OAuth client shows its secret.
 *
 * Both parts are percent-encoded, and no more of them than must be: letters, digits and `-._*` stay as they are, since
 * servers that compare without decoding know a UUID only so; a space is `%20`, which those that decode forms and those that
 * decode URLs both read.
 *
 * Source: RFC 6749 §2.3.1, Appendix B; URL Standard, "application/x-www-form-urlencoded percent-encode set".
 */
export const clientSecretBasic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`;

const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
