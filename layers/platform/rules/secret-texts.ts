/**
 * Secrets that are known by their form. What begins as a JWT is taken for one: looking for dots from each beginning
 * would take the square of a text.
 */
export const SECRET_TEXTS: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\bmcp_(?:access|refresh|code)_[\w-]+/gi,
  /\bsecret_[\w-]{8,}/gi,
  /\beyJ[\w-]{8,}(?:\.[\w.-]*)?/gi,
];
