import { isObject, type JsonObject, member, textMember } from '../../platform/rules/json/json.ts';
import { objectMember, objectOf } from '../../platform/rules/json/members.ts';
import type { Habit } from './habit.ts';

/** A framework that parses multipart forms differently from OpenAPI. */
export interface FormReader extends Habit {
  readonly isWritten: (root: JsonObject) => boolean;
}

/** Frameworks that read every part with a media type as a file, so that JSON objects are sent to them without one. */
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

/** operationIds that NestJS generates from controller and method. */
const OF_CONTROLLER = /^[A-Z][A-Za-z0-9]*Controller_\w/;

export const isOfSpringdoc = (root: JsonObject): boolean => {
  const servers = member(root, 'servers');
  return (
    objectMember(root, 'info')['title'] === 'OpenAPI definition' ||
    (Array.isArray(servers) &&
      servers.some((one) => isObject(one) && one['description'] === 'Generated server url'))
  );
};

/** Frameworks that describe a body as JSON unless told otherwise, while their servers accept files only in forms. */
export const UPLOADS_AS_JSON = [
  {
    frameworks: 'NestJS',
    writes: '`application/json` for a body with a file, without `@ApiConsumes`',
    takes: 'multipart/form-data',
    source: 'NestJS, "OpenAPI", Operations, File upload',
    isWritten: (root) =>
      Object.values(objectMember(root, 'paths')).some((item) =>
        Object.values(objectOf(item)).some(
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

/** Framework whose server takes uploads as forms although they are described as JSON; undefined if there is none. */
export const readerOfUploads = (root: JsonObject): string | undefined => {
  const known = readers.get(root);
  if (known) return known.of;
  const of = UPLOADS_AS_JSON.find(({ isWritten }) => isWritten(root))?.frameworks;
  readers.set(root, { of });
  return of;
};

/** Cache, since every operation with a file asks. */
const readers = new WeakMap<JsonObject, { readonly of: string | undefined }>();
