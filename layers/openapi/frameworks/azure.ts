import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember, objectMember } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Warnings } from '../intake/findings.ts';
import type { Habit } from './habit.ts';

/** What descriptions of Azure say in extensions of AutoRest. */
export const AZURE_EXTENSIONS = {
  paths: {
    frameworks: 'AutoRest, Azure',
    writes: '`x-ms-paths: {/items?comp=list: ...}`',
    takes: 'operations as those of `paths`, told apart by their queries',
    source: 'AutoRest, "Extensions", x-ms-paths',
  },
  host: {
    frameworks: 'AutoRest, Azure',
    writes: '`x-ms-parameterized-host: {hostTemplate: "{endpoint}/v1"}`',
    takes: 'an address with server variables',
    source: 'AutoRest, "Extensions", x-ms-parameterized-host',
  },
  segments: {
    frameworks: 'AutoRest, Azure',
    writes: '`x-ms-skip-url-encoding: true` for a parameter in a path',
    takes: 'several segments, slashes included',
    source: 'AutoRest, "Extensions", x-ms-skip-url-encoding',
  },
} as const satisfies Record<string, Habit>;

/** Writes such extensions as OpenAPI has them. */
export const repairAzure = (root: JsonObject, warnings: Warnings): void => {
  const more = member(root, 'x-ms-paths');
  if (isObject(more)) {
    // A path of both is that of `paths`.
    const own = objectMember(root, 'paths');
    Object.assign(root, { paths: { ...own, ...more, ...own } });
    warnings.add(
      pointerTo('x-ms-paths'),
      'paths of an extension of Azure; read as those of the description',
      'Choose its operations if some are not wanted.',
    );
  }
  const host = member(root, 'x-ms-parameterized-host');
  if (isObject(host) && textMember(root, 'host') === '' && root['servers'] === undefined) {
    Object.assign(root, { servers: [serverOf(root, host)] });
  }
};

const serverOf = (root: JsonObject, host: JsonObject): JsonObject => {
  const template = textMember(host, 'hostTemplate');
  const prefix = host['useSchemePrefix'] === false ? '' : 'https://';
  const variables = listMember(host, 'parameters').flatMap(
    (parameter): readonly (readonly [string, Json])[] => {
      if (!isObject(parameter)) return [];
      const values = ['default', 'enum', 'description'].flatMap((key) => {
        const value = member(parameter, key);
        return value === undefined ? [] : [[key, value] as const];
      });
      return [[textMember(parameter, 'name'), Object.fromEntries(values)]];
    },
  );
  return {
    url: `${prefix}${template}${textMember(root, 'basePath')}`,
    variables: Object.fromEntries(variables),
  };
};
