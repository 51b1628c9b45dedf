import { isJson, jsonOf } from '../json.ts';
import { pointerTo } from './json-pointer.ts';

/** What a component may be called. Source: OpenAPI 3.1.1, "Components Object". */
const FORBIDDEN = /[^A-Za-z0-9._-]+/g;

/** Adds a component to a section of a description; its name is the last of these. @returns its pointer */
export type AddComponent = (
  section: readonly string[],
  document: string,
  keys: readonly string[],
  value: unknown,
) => string;

/** Calls components as they are called in their document, or as the document is, each by a name of its own. */
export const componentAdder =
  (root: Record<string, unknown>): AddComponent =>
  (section, document, keys, value) => {
    const members = sectionIn(root, section);
    const name = nameOf(keys.at(-1) ?? fileName(document));
    let free = name;
    for (let number = 2; Object.hasOwn(members, free); number += 1) free = `${name}_${number}`;
    members[free] = value;
    return pointerTo(...section, free);
  };

const sectionIn = (
  root: Record<string, unknown>,
  section: readonly string[],
): Record<string, unknown> =>
  section.reduce<Record<string, unknown>>((members, key) => {
    if (!isJson(members[key])) members[key] = {};
    return jsonOf(members[key]) as Record<string, unknown>;
  }, root);

const nameOf = (text: string): string => {
  const name = text.replaceAll(FORBIDDEN, '_').replace(/^_*((?:.*[^_])?)_*$/s, '$1');
  return name === '' || name === 'proto' ? 'component' : name;
};

const fileName = (document: string): string => {
  const { pathname } = new URL(document);
  const name = pathname.split('/').findLast((step) => step !== '') ?? '';
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? name.slice(0, dot) : name).replaceAll('%20', '_');
};
