/** Counted in Unicode characters, not bytes or UTF-16 units. */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 128;
