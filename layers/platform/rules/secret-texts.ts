/** Secrets by their form. A JWT's prefix suffices: searching for dots from each prefix would take quadratic time. */
export const SECRET_TEXTS: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\bmcp_(?:access|refresh|code)_[\w-]+/gi,
  /\bsecret_[\w-]{8,}/gi,
  /\beyJ[\w-]{8,}(?:\.[\w.-]*)?/gi,
];
