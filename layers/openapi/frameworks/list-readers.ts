import { isObject, type JsonObject } from '../../platform/rules/json/json.ts';
import { objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { isAnyOperation, isOfHapi, isOfNest, isOfSpringdoc, isOfSwaggo } from './fingerprints.ts';
import type { RecognizedHabit } from './habit.ts';

/** By the component of FastAPI's answers to wrong arguments. */
const isOfFastApi = (root: JsonObject): boolean =>
  Object.hasOwn(objectMember(objectMember(root, 'components'), 'schemas'), 'HTTPValidationError');

/** By what @hono/zod-openapi answers to wrong arguments: `{success: false, error: {issues, name}}`. */
const isOfHono = (root: JsonObject): boolean =>
  isAnyOperation(root, (operation) =>
    Object.values(objectMember(operation, 'responses')).some((answer) => {
      const json = objectMember(objectMember(objectOf(answer), 'content'), 'application/json');
      const { success, error } = objectMember(objectMember(json, 'schema'), 'properties');
      const members = objectMember(objectOf(error), 'properties');
      return (
        isObject(success) && Object.hasOwn(members, 'issues') && Object.hasOwn(members, 'name')
      );
    }),
  );

/** Frameworks that read a list in a header from its lines alone. */
export const REPEATED_HEADERS = [
  {
    frameworks: 'FastAPI',
    writes: 'a list in a header',
    takes: 'a line for each item: `X-Part: a` and `X-Part: b`',
    source: 'FastAPI, "Header Parameters", Duplicate headers',
    isWritten: isOfFastApi,
  },
] as const satisfies readonly RecognizedHabit[];

export const readerOfHeaderLines = (root: JsonObject): string | undefined =>
  REPEATED_HEADERS.find(({ isWritten }) => isWritten(root))?.frameworks;

/** How frameworks read a list in a cookie: `joined` with commas, or not at all. */
export const COOKIE_LISTS = [
  {
    frameworks: 'springdoc',
    writes: 'a list in a cookie, without a style',
    takes: 'one cookie, `ids=a,b`: of several of a name the first counts',
    source: 'Spring Framework, WebUtils, getCookie; StringToCollectionConverter',
    isWritten: isOfSpringdoc,
    isJoined: true,
  },
  {
    frameworks: 'FastAPI',
    writes: 'a list in a cookie',
    takes: 'nothing: of several cookies of a name the last counts, as a text',
    source: 'Starlette, starlette/requests.py, cookie_parser',
    isWritten: isOfFastApi,
    isJoined: false,
  },
] as const satisfies readonly (RecognizedHabit & { readonly isJoined: boolean })[];

export const readerOfCookieLists = (root: JsonObject) =>
  COOKIE_LISTS.find(({ isWritten }) => isWritten(root));

/** Frameworks whose servers read a list of one item in a query as a text, however it is spelled. */
export const LISTS_OF_ONE = [
  {
    frameworks: 'NestJS',
    writes: 'a list in a query',
    takes:
      '`ids=a&ids=b`; one item is a text, or a list as `ids[]=a` with the extended query parser',
    source: 'Express, "app.set", query parser; qs, README',
    isWritten: isOfNest,
    mends:
      'Write `@Transform(({ value }) => [value].flat())` at it in the API, or here `style: deepObject` for the extended parser.',
  },
  {
    frameworks: 'Hono with zod-openapi',
    writes: 'a list in a query',
    takes: '`ids=a&ids=b`; one item is a text',
    source: 'Hono, src/validator/validator.ts; https://github.com/honojs/middleware/issues/660',
    isWritten: isOfHono,
    mends:
      "Write `z.preprocess((one) => (typeof one === 'string' ? [one] : one), list)` around it in the API.",
  },
  {
    frameworks: 'hapi',
    writes: 'a list in a query',
    takes: '`ids=a&ids=b`; one item is a text',
    source: 'Joi, API, `array.single()`',
    isWritten: isOfHapi,
    mends: 'Write `.single()` behind `Joi.array()` in the API.',
  },
] as const satisfies readonly (RecognizedHabit & { readonly mends: string })[];

export const readerOfListsOfOne = (root: JsonObject): (typeof LISTS_OF_ONE)[number] | undefined =>
  LISTS_OF_ONE.find(({ isWritten }) => isWritten(root));

/** What a generator writes of lists in queries and forms, whatever the API's router does with them. */
export const LISTS_OF_ROUTERS = [
  {
    frameworks: 'gin, Echo, Fiber with swaggo',
    writes: '`collectionFormat: csv` for each list, unless somebody says otherwise',
    takes: '`ids=1&ids=2`',
    source: 'swaggo, README, "--collectionFormat"; gin, binding/form_mapping.go',
    isWritten: isOfSwaggo,
  },
] as const satisfies readonly RecognizedHabit[];

/**
 * Who reads a list that is described as joined by commas under its name repeated; undefined where nothing tells, or the
 * description says `x-collection-format`.
 */
export const readerOfRepeated = (root: JsonObject, parameter: JsonObject): string | undefined =>
  parameter['collectionFormat'] === 'csv' &&
  parameter['x-collection-format'] === undefined &&
  (parameter['in'] === 'query' || parameter['in'] === 'formData')
    ? LISTS_OF_ROUTERS.find(({ isWritten }) => isWritten(root))?.frameworks
    : undefined;
