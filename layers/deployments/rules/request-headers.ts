import * as z from 'zod/mini';
import { HEADER_VALUE } from '../../credentials/rules/forbidden-headers.ts';
import { isHeaderName, isOwnersHeader } from '../../target/rules/protected-headers.ts';

const MOST = 20;
const LONGEST_NAME = 100;
const LONGEST_VALUE = 1000;

/** @returns undefined for a header that an owner may set */
const faultOf = (name: string, value: string): string | undefined => {
  const lowerCase = name.toLowerCase();
  if (name.length > LONGEST_NAME || !isHeaderName(lowerCase)) {
    return `${JSON.stringify(name.slice(0, LONGEST_NAME))} is no name of a header. Use at most ${LONGEST_NAME} letters, digits and hyphens.`;
  }
  if (lowerCase === 'authorization' || lowerCase === 'cookie') {
    return `Set ${name} as the credential: there it is encrypted, and goes to the API alone.`;
  }
  if (!isOwnersHeader(lowerCase)) {
    return `${name} decides about the connection or the message, and is set for each call. Choose another header.`;
  }
  if (value.length > LONGEST_VALUE || !HEADER_VALUE.test(value)) {
    return `${name} needs 1 to ${LONGEST_VALUE} printable ASCII characters without spaces at the ends.`;
  }
  return undefined;
};

/** Headers with fixed values that go with each call, such as a tenant. Source: docs/outgoing-calls.md, "Headers". */
export const RequestHeaders = z
  .record(z.string(), z.string())
  .check((context) => {
    const names = Object.keys(context.value);
    const complain = (path: readonly string[], message: string) =>
      context.issues.push({
        code: 'custom',
        path: [...path],
        input: undefined,
        message,
      });
    if (names.length > MOST) complain([], `Give at most ${MOST} headers.`);
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(context.value)) {
      const fault = seen.has(name.toLowerCase())
        ? `${name} is there twice: case makes no difference.`
        : faultOf(name, value);
      seen.add(name.toLowerCase());
      if (fault !== undefined) complain([name], fault);
    }
  })
  .register(z.globalRegistry, {
    description:
      'Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. ' +
      'They are shown to owners and are no place for secrets, which are for the credential. None if it was never said.',
  });
