/**
 * `Authorization` header with an OAuth client's secret. Both parts are percent-encoded, but letters, digits and
 * `-._*` stay, since some servers compare without decoding. A space becomes `%20`, which form decoders and URL
 * decoders both read. Source: RFC 6749 §2.3.1, Appendix B; URL Standard, "application/x-www-form-urlencoded
 * percent-encode set".
 */
export const clientSecretBasic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`;

const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
