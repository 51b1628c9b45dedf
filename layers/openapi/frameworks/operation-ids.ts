import type { FoundOperation } from '../document.ts';
import type { Habit } from './habit.ts';

interface OperationIdHabit extends Habit {
  /** Words of an operationId that tell what the operation does, maybe none; undefined if the id is not of this kind. */
  readonly read: (
    operationId: string,
    found: Pick<FoundOperation, 'method' | 'path'>,
  ) => string | undefined;
}

/** Hashes, UUIDs and database ids as separate words. */
const HASH =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}|\d{10,})(?![A-Za-z0-9])/gi;

const SHORT_HASH = /[_-]([0-9a-f]{6,15})$/;

const withoutShortHash = (text: string): string => {
  const [ending, digits = ''] = SHORT_HASH.exec(text) ?? [];
  // Letters and digits alternate more than once, unlike in years, colours and words with a number.
  const isHash = /\d[a-f]+\d|[a-f]\d+[a-f]/.test(digits) && /\d.*\d/.test(digits);
  return isHash && ending !== undefined ? text.slice(0, -ending.length) : text;
};

/** A method alone tells less than method and path. */
const METHOD = /^(?:get|post|put|patch|delete|head|options)$/i;

const METHOD_AT_END = /_(?:get|post|put|patch|delete|head|options|trace)$/;

const ANY_OPERATION =
  /^(?:\d+|anonymous|api|default|endpoint|fn|func|function|handler|id|lambda|method|none|null|op|operation|path|request|route|undefined|unnamed|untitled|v\d+)$/i;

const telling = (words: readonly string[]): string => {
  const name = words.join('_');
  return saysNothing(name) ? '' : name;
};

/** Whether a name has no word that tells one operation from others. */
export const saysNothing = (name: string): boolean => {
  const words = wordsIn(name);
  return words.length === 0 || isForAny(words) || (words.length === 1 && METHOD.test(name));
};

const isForAny = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => ANY_OPERATION.test(word));

const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/([a-z])(?=\d)/g, '$1_')
    .split(/[\W_]+/)
    .filter((word) => word !== '');

/** Parts that frameworks add to the name which a developer gave an operation. */
export const OPERATION_IDS = [
  {
    frameworks: 'FastAPI, Starlette',
    writes: '`read_users_api_v1_users__get`: function, path and method',
    takes: 'the function alone says what it does: `read_users`',
    source: 'FastAPI, fastapi/utils.py, generate_unique_id',
    read: (operationId, { path }) => {
      // A route of several methods has one id, which names any of them.
      const before = operationId.replace(METHOD_AT_END, '');
      const ending = path.split('#', 1).join().replaceAll(/\W/g, '_');
      const isGenerated = before !== operationId && before.endsWith(ending);
      const name = isGenerated ? before.slice(0, -ending.length) : '';
      // `api_books_post` of API Platform has the same ending.
      return telling(wordsIn(name)) === '' ? undefined : name;
    },
  },
  {
    frameworks: 'swagger-php, L5-Swagger, Azure API Management',
    writes: '`0e00aae7c370b295281ca65f1d061354`: an md5, or an id of the portal',
    takes: 'method and path say what it does',
    source: 'swagger-php, src/Processors/OperationId.php',
    read: (operationId) => {
      const words = withoutShortHash(operationId.replaceAll(HASH, ''));
      return words === operationId
        ? undefined
        : telling(words.split(/[\W_]+/).filter((word) => word !== ''));
    },
  },
  {
    frameworks: 'Laravel, converters of collections',
    writes: '`generated::KjH8s7dGf6sdfGhJ`, `undefined`, `operation_12`, `1`',
    takes: 'method and path say what it does',
    source: 'Laravel, Illuminate/Routing/AbstractRouteCollection.php, generateRouteName',
    read: (operationId) => {
      const isNothing = /^generated::\w+$/.test(operationId) || isForAny(wordsIn(operationId));
      return isNothing ? '' : undefined;
    },
  },
] as const satisfies readonly OperationIdHabit[];

const MAX_ID = 500;

/** The part of an operationId that a developer wrote; all of it where no framework's pattern matches. */
export const writtenId = (
  operationId: string,
  found: Pick<FoundOperation, 'method' | 'path'>,
): string => {
  if (operationId.length > MAX_ID) return operationId;
  for (const { read } of OPERATION_IDS) {
    const words = read(operationId, found);
    if (words !== undefined) return words;
  }
  return operationId;
};
