import type { FoundOperation } from '../document.ts';
import type { Habit } from './habit.ts';

interface OperationIdHabit extends Habit {
  /** What of an operationId says what the operation does; empty where nothing does, undefined where it is not written so. */
  readonly read: (
    operationId: string,
    found: Pick<FoundOperation, 'method' | 'path'>,
  ) => string | undefined;
}

/** Digits of hashes and of ids of databases, as a word of their own. */
const HASH =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}|\d{10,})(?![A-Za-z0-9])/gi;

/** A method alone says less than method and path. */
const telling = (words: readonly string[]): string =>
  words.length === 1 &&
  /^(?:get|post|put|patch|delete|head|options|api|operation|id)$/i.test(words.join())
    ? ''
    : words.join('_');

/** What frameworks make operationIds of, beside what a developer called the operation. */
export const OPERATION_IDS = [
  {
    frameworks: 'FastAPI, Starlette',
    writes: '`read_users_api_v1_users__get`: function, path and method',
    takes: 'the function alone says what it does: `read_users`',
    source: 'FastAPI, fastapi/utils.py, generate_unique_id',
    read: (operationId, { method, path }) => {
      const ending =
        `${path.split('#', 1).join()}`.replaceAll(/\W/g, '_') + `_${method.toLowerCase()}`;
      return operationId.endsWith(ending) ? operationId.slice(0, -ending.length) : undefined;
    },
  },
  {
    frameworks: 'swagger-php, L5-Swagger, Azure API Management',
    writes: '`0e00aae7c370b295281ca65f1d061354`: an md5, or an id of the portal',
    takes: 'method and path say what it does',
    source: 'swagger-php, src/Processors/OperationId.php',
    read: (operationId) => {
      const words = operationId.replaceAll(HASH, '');
      return words === operationId
        ? undefined
        : telling(words.split(/[\W_]+/).filter((word) => word !== ''));
    },
  },
] as const satisfies readonly OperationIdHabit[];

/** Longer ones are looked into by nobody. */
const MAX_ID = 500;

/** The part of an operationId that somebody has written; the whole where no framework is known in it. */
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
