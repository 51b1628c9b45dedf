import { isObject, type JsonObject, member, textMember } from '../../platform/rules/json/json.ts';
import type { Habit } from './habit.ts';

/** How a framework reads the parts of a multipart form, where that is not what OpenAPI says. */
export interface FormReader extends Habit {
  readonly isWritten: (root: JsonObject) => boolean;
}

/**
 * Frameworks that take a part with a media type for a file, whether or not it has a file name: their objects go out as
 * JSON without one, as browsers write fields.
 */
export const READERS_OF_PLAIN_FIELDS = [
  {
    frameworks: 'Strapi',
    writes: 'an object among the fields of an upload, `fileInfo`',
    takes: 'JSON in a part without a media type: one with `application/json` would be a file',
    source: 'Strapi, "Upload files"; formidable, src/Formidable.js, `onPart`',
    isWritten: (root) => member(root, 'x-strapi-config') !== undefined,
  },
] as const satisfies readonly FormReader[];

export const readsPlainFields = (root: JsonObject): boolean =>
  READERS_OF_PLAIN_FIELDS.some(({ isWritten }) => isWritten(root));

/** Whether an operationId is a controller and its method, as NestJS makes them. */
const OF_CONTROLLER = /^[A-Z][A-Za-z0-9]*Controller_\w/;

const objectIn = (root: JsonObject, key: string): JsonObject => {
  const value = member(root, key);
  return isObject(value) ? value : {};
};

/** Its title where nobody gives one, or what it says of the server. */
export const isOfSpringdoc = (root: JsonObject): boolean => {
  const servers = member(root, 'servers');
  return (
    objectIn(root, 'info')['title'] === 'OpenAPI definition' ||
    (Array.isArray(servers) &&
      servers.some((one) => isObject(one) && one['description'] === 'Generated server url'))
  );
};

/**
 * Frameworks whose descriptions call a body JSON wherever nobody says what an operation consumes, and whose servers take
 * files in forms alone.
 */
export const UPLOADS_AS_JSON = [
  {
    frameworks: 'NestJS',
    writes: '`application/json` for a body with a file, without `@ApiConsumes`',
    takes: 'multipart/form-data',
    source: 'NestJS, "OpenAPI", Operations, File upload',
    isWritten: (root) =>
      Object.values(objectIn(root, 'paths')).some((item) =>
        Object.values(isObject(item) ? item : {}).some(
          (one) => isObject(one) && OF_CONTROLLER.test(textMember(one, 'operationId')),
        ),
      ),
  },
  {
    frameworks: 'springdoc',
    writes: '`application/json` for a body with a file, without `consumes`',
    takes: 'multipart/form-data',
    source: 'https://github.com/springdoc/springdoc-openapi/issues/3089',
    isWritten: (root) => isOfSpringdoc(root),
  },
] as const satisfies readonly FormReader[];

/** Who reads a body with a file as a form though it is called JSON; undefined where nothing tells. */
export const readerOfUploads = (root: JsonObject): string | undefined => {
  const known = readers.get(root);
  if (known) return known.of;
  const of = UPLOADS_AS_JSON.find(({ isWritten }) => isWritten(root))?.frameworks;
  readers.set(root, { of });
  return of;
};

/** Each operation with a file asks for that of its description. */
const readers = new WeakMap<JsonObject, { readonly of: string | undefined }>();
