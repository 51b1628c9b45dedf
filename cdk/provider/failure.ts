/** What went wrong, in words that may stand in the events of a stack: nothing that was read is in them. */
export class Failure extends Error {}

/**
 * What the events of a stack and the log are told of an error. Messages of others stay here: `fetch` quotes a header
 * that it cannot send, the SDK an answer that it cannot read, and either may be a secret.
 */
export const toldOf = (error: unknown): string => {
  if (error instanceof Failure) return error.message;
  const { name, message } = error instanceof Error ? error : new Error();
  // A refusal of AWS, in its own words: who may not do what.
  if (has(error, '$fault')) return `AWS: ${name}: ${message}`;
  const code = String(Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code'));
  return /^[A-Z\d_]{3,50}$/.test(code)
    ? `The service cannot be reached (${code}): is baseUrl right, and open to functions of this account?`
    : `The function that applies declarations has failed (${name}): deploy again, and report it if it stays.`;
};

const has = (error: unknown, name: string): boolean =>
  typeof error === 'object' && error !== null && name in error;
