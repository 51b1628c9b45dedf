import type { SentCall } from './sent-calls.ts';
import type { Violation } from '../target/validating-api.ts';

interface Exception {
  /** What the validator gets wrong or cannot do. */
  readonly why: string;
  readonly covers: (violation: Violation, call: SentCall) => boolean;
}

/**
 * Where `@scalar/mock-server@0.14.4` is wrong about a request, each with the reason. All of it is read
 * back by `wire-reader` as well, as are the bodies that it does not read at all: forms, multipart, text
 * and bytes.
 */
const EXCEPTIONS: readonly Exception[] = [
  {
    why: 'It routes the methods of OpenAPI 3.0 only, so that QUERY is answered 404.',
    covers: ({ message }, { tool }) =>
      message === 'answered 404' && ['QUERY', 'TRACE'].includes(tool.tool.operation.method),
  },
  {
    why: 'It knows no operation HEAD: its router answers HEAD from GET, without a body to say more.',
    covers: (_, { tool }) => tool.tool.operation.method === 'HEAD',
  },
  {
    why: 'It routes no path with a fragment, which tells operations of one address apart.',
    covers: ({ message }, { tool }) => message === 'answered 404' && tool.path.includes('#'),
  },
  {
    why: 'It lets the first path that fits answer: /users/{id} for /users/me, and asks for its id.',
    covers: ({ location, path }, { tool }) =>
      location === 'path' && !tool.path.includes(`{${firstKey(path)}}`),
  },
  {
    why: 'Parameters that carry the credential are no arguments: the service sets them.',
    covers: ({ location, path, message }, { tool }) =>
      location === 'query' &&
      message.endsWith('is required') &&
      !tool.tool.operation.parameters.some(
        (one) => one.in === location && one.name === firstKey(path),
      ),
  },
  {
    why: 'It takes the prefix of a plain value in the styles label and matrix for a part of the value.',
    covers: (violation, call) => ['label', 'matrix'].includes(styleOf(violation, call) ?? ''),
  },
  {
    why: 'It reads deepObject to the first level only, which is all that OpenAPI defines.',
    covers: (violation, call) => styleOf(violation, call) === 'deepObject',
  },
  {
    why: 'It reads other delimiters than commas in queries only, and tabs nowhere: Swagger 2.0 has them.',
    covers: (violation, call) => {
      const style = styleOf(violation, call) ?? '';
      return style === 'tabDelimited' || (violation.location !== 'query' && /Delim/.test(style));
    },
  },
  {
    why: 'What the body of a PATCH lacks is for the API to judge, which the validator is not.',
    covers: ({ location, message }, { tool }) =>
      location === 'body' &&
      /must have required property|is required$|must match (?:a schema in|exactly one|"(?:then|else)")/.test(
        message,
      ) &&
      tool.tool.operation.method === 'PATCH' &&
      tool.tool.operation.body !== undefined,
  },
  {
    why: 'What is required and has a default may be left out.',
    covers: ({ location, path, message }, { tool: { tool } }) =>
      message.endsWith('is required') &&
      location !== 'path' &&
      tool.operation.parameters.some(
        (one) => one.in === location && one.name === firstKey(path) && !one.required,
      ),
  },
  {
    why: 'It takes a form without fields for no body.',
    covers: ({ message }, { tool }) =>
      message === 'Request body is required' && tool.tool.operation.body?.form === 'form',
  },
];

/** What the validator says against a call, without what it is wrong about. */
export const violationsOf = (call: SentCall): readonly Violation[] =>
  (call.judged?.violations ?? []).filter(
    (violation) => !EXCEPTIONS.some(({ covers }) => covers(violation, call)),
  );

/** Of the parameter that a violation is about. */
const styleOf = ({ location, path }: Violation, { tool }: SentCall): string | undefined => {
  const { parameters } = tool.tool.operation;
  return parameters.find((one) => one.in === location && one.name === firstKey(path))?.style;
};

const firstKey = (pointer: string): string =>
  (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
