import { isHeaderName } from '../../target/rules/protected-headers.ts';
import { isPage } from '../../target/rules/media-type.ts';
import { isObject, type Json, member } from '../../platform/rules/json/json.ts';
import { objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import type { DescribedAnswer, Operation } from '../tool-index.ts';
import { withinLimit } from './encodings.ts';

const MOST_STATUSES = 30;
const MOST_HEADERS = 30;
const MOST_NAME = 100;
/** Limit for all header names of an operation: routers keep them, and thousands of operations may share responses. */
const MOST_CHARACTERS = 4000;

const STATUS = /^(?:[1-5](?:\d\d|XX)|default)$/;

/**
 * Response metadata that structured output lacks: headers, statuses that return web pages, and redirects.
 * Source: OpenAPI 3.1.1, "Responses Object", "Response Object"; OpenAPI 2.0, "Response Object".
 */
export const describedAnswers = (
  { root }: Pick<Description, 'root'>,
  { operation }: Pick<FoundOperation, 'operation'>,
): Pick<Operation, 'answers'> => {
  let left = MOST_CHARACTERS;
  const fits = ({ length }: string): boolean => (left -= length) >= 0;
  const found = Object.entries(objectMember(operation, 'responses'))
    .slice(0, MOST_STATUSES)
    .flatMap(([key, node]) => {
      const status = key.replace(/x/gi, 'X');
      const response = STATUS.test(status) ? resolved(root, node) : undefined;
      if (!isObject(response)) return [];
      const answer = describedAnswer(
        member(response, 'headers'),
        member(response, 'content'),
        fits,
      );
      const isTelling = status.startsWith('3') || Object.keys(answer).length > 0;
      return isTelling ? [[status, answer] as const] : [];
    });
  return found.length > 0 ? { answers: Object.fromEntries(found) } : {};
};

const describedAnswer = (
  headers: Json | undefined,
  content: Json | undefined,
  fits: (name: string) => boolean,
): DescribedAnswer => {
  const names = Object.keys(objectOf(headers))
    .filter((name) => name.length <= MOST_NAME && isHeaderName(name) && !SAID_ELSEWHERE.test(name))
    .slice(0, MOST_HEADERS)
    .filter(fits)
    .map((name) => name.toLowerCase());
  const types = isObject(content) ? withinLimit(Object.keys(content)) : [];
  return {
    ...(names.length > 0 && { headers: names }),
    ...(types.some(isPage) && { isPage: true as const }),
  };
};

/** `Content-Type`, which `content` describes. Source: OpenAPI 3.1.1, "Response Object", `headers`. */
const SAID_ELSEWHERE = /^content-type$/i;
