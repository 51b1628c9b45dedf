/** An error whose message may stand in the events of a stack: it quotes nothing that was read. */
export class Failure extends Error {}

/** Messages of other errors are withheld: `fetch` and the SDK quote headers and answers, which may be secrets. */
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
