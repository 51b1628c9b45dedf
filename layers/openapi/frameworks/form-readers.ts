import { type JsonObject, member } from '../../platform/rules/json/json.ts';
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
