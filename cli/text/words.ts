/** `1 tool`, `2 tools`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** With a full stop, unless it ends already. */
export const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

/** The system's words for an error. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
