import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { RecognizedHabit } from './habit.ts';

/** Frameworks that describe parameters of the path as numbers without knowing what they are. */
export const NUMBERS_IN_PATHS = [
  {
    frameworks: 'Strapi',
    writes: '`type: number` for a parameter of the path, be it the id of a document or a slug',
    takes: 'text',
    source:
      'https://github.com/strapi/strapi/blob/main/packages/plugins/documentation/server/src/services/helpers/build-api-endpoint-path.ts, `getPathParams`',
    isWritten: (root) => member(root, 'x-strapi-config') !== undefined,
  },
] as const satisfies readonly RecognizedHabit[];

export const guesserOfNumbers = (root: JsonObject): string | undefined =>
  NUMBERS_IN_PATHS.find(({ isWritten }) => isWritten(root))?.frameworks;

/** A path parameter's schema that takes text and numbers; undefined where its schema says more than `type: number`. */
export const withText = (parameter: JsonObject): JsonObject | undefined => {
  const schema = member(parameter, 'schema');
  if (member(parameter, 'in') !== 'path' || !isObject(schema)) return undefined;
  const [only, ...more] = Object.entries(schema);
  const isGuessed = only?.[0] === 'type' && only[1] === 'number' && more.length === 0;
  return isGuessed ? { type: ['string', 'number'] } : undefined;
};
