import { isObject, member } from '../../platform/rules/json/json.ts';
import type { Description, FoundOperation } from '../document.ts';

/** Alternatives of an operation, schemes of each, and characters of a name: what goes beyond is not kept. */
const MOST_ALTERNATIVES = 8;
const MOST_SCHEMES = 5;
const MOST_NAME = 100;

/**
 * The security schemes that calls of an operation have to satisfy: those of one alternative together.
 *
 * @returns undefined where the description says nothing of them
 * Source: OpenAPI 3.1.1, "Operation Object" (`security`), "Security Requirement Object".
 */
export const securityOf = (
  { root }: Description,
  { operation }: FoundOperation,
): readonly (readonly string[])[] | undefined => {
  const security = member(operation, 'security') ?? member(root, 'security');
  if (!Array.isArray(security)) return undefined;
  return security
    .filter(isObject)
    .map((alternative) => Object.keys(alternative))
    .filter((names) => names.length <= MOST_SCHEMES && names.every(isShort))
    .slice(0, MOST_ALTERNATIVES);
};

const isShort = ({ length }: string): boolean => length <= MOST_NAME;
