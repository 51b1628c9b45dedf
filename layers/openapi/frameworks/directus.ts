import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Warnings } from '../intake/findings.ts';
import type { Habit } from './habit.ts';

interface MisreadOperation extends Habit {
  readonly method: string;
  readonly isAt: (path: string, operation: JsonObject) => boolean;
  readonly what: string;
  readonly body?: JsonObject;
  /** Parameter that callers need not give. */
  readonly optional?: string;
}

const isOfDirectus = (root: JsonObject): boolean =>
  objectMember(root, 'info')['title'] === 'Dynamic API Specification' &&
  isObject(member(objectMember(root, 'paths'), '/files'));

const text = (description: string): JsonObject => ({ type: 'string', description });

/** What Directus describes otherwise than it reads it, or not at all. */
export const MISREAD_OPERATIONS = [
  {
    frameworks: 'Directus',
    writes: '`POST /files` with a text called `data`, as JSON',
    takes: 'multipart/form-data, its `file` last',
    source: 'Directus, API reference, "Upload a File"; api/src/controllers/files.ts',
    method: 'post',
    isAt: (path, operation) =>
      path === '/files' &&
      Object.keys(objectMember(objectMember(operation, 'requestBody'), 'content')).join() ===
        'application/json',
    what: 'a file is described as a text in JSON; it is sent as multipart/form-data, as Directus reads it',
    body: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              title: text('Title of the file.'),
              folder: text('Id of its folder.'),
              file: { type: 'string', format: 'binary' },
            },
          },
        },
      },
    },
  },
  {
    frameworks: 'Directus',
    writes: 'a DELETE of several without a body',
    takes: 'a list of their keys',
    source: 'Directus, API reference, "Delete Multiple Items"; api/src/controllers/items.ts',
    method: 'delete',
    isAt: (path, operation) =>
      !path.includes('{') &&
      textMember(operation, 'summary').startsWith('Delete Multiple ') &&
      operation['requestBody'] === undefined,
    what: 'nothing says which are deleted; a list of their keys is the body, as Directus reads it',
    body: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'array',
            description: 'Keys of those to delete.',
            minItems: 1,
            items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          },
        },
      },
    },
  },
  {
    frameworks: 'Directus',
    writes: '`super_admin_token` as required for `GET /server/info`',
    takes: 'no such parameter',
    source: 'Directus, API reference, "System Information"; api/src/controllers/server.ts',
    method: 'get',
    isAt: (path, operation) =>
      path === '/server/info' && listMember(operation, 'parameters').length > 0,
    what: 'the token of an administrator is called required; it may be left out, as Directus reads none',
    optional: 'super_admin_token',
  },
] as const satisfies readonly MisreadOperation[];

/** Describes these bodies as the API reads them, with a warning each. */
export const repairDirectus = (root: JsonObject, warnings: Warnings): void => {
  if (!isOfDirectus(root)) return;
  for (const [path, item] of Object.entries(objectMember(root, 'paths'))) {
    for (const row of MISREAD_OPERATIONS as readonly MisreadOperation[]) {
      const operation = member(objectOf(item), row.method);
      if (!isObject(operation) || !row.isAt(path, operation)) continue;
      mend(operation as Record<string, Json>, row);
      warnings.add(
        pointerTo('paths', path, row.method),
        row.what,
        'Describe it as the API reads it.',
      );
    }
  }
};

const mend = (operation: Record<string, Json>, { body, optional }: MisreadOperation): void => {
  if (body) operation['requestBody'] = structuredClone(body) as Json;
  if (optional === undefined) return;
  operation['parameters'] = listMember(operation, 'parameters').map((one) =>
    isObject(one) && one['name'] === optional ? { ...one, required: false } : one,
  );
};
