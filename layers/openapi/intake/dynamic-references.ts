import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Warnings } from './findings.ts';
import { pointerOf, type Location } from './openapi-fields.ts';
import type { Reference } from './references.ts';

/**
 * `$dynamicRef`s of a description. One whose anchor stands in one place only always means that place: it
 * becomes a plain `$ref`. Others mean another schema in each schema that is built on theirs; they are left to
 * those who know where they are.
 *
 * Source: JSON Schema 2020-12 §8.2.3.2.
 */
export const dynamicReferences = () => {
  const found: Reference[] = [];
  const anchors = new Map<string, number>();
  return {
    collect: (node: JsonObject, location: Location, scope: Location): void => {
      const anchor = member(node, '$dynamicAnchor');
      if (typeof anchor === 'string') anchors.set(anchor, (anchors.get(anchor) ?? 0) + 1);
      const ref = member(node, '$dynamicRef');
      if (typeof ref !== 'string' || Object.hasOwn(node, '$ref')) return;
      found.push({ node, ref, type: 'schema', location, scope });
    },

    /**
     * Those that have become plain references.
     *
     * @param isNamed - whether a schema has this anchor
     */
    resolved: (isNamed: (anchor: string) => boolean, warnings: Warnings): readonly Reference[] =>
      found.filter(({ node, ref, location }) => {
        const anchor = /^#([^/].*)$/s.exec(ref)?.[1];
        const places = anchors.get(ref.slice(ref.indexOf('#') + 1)) ?? 0;
        const isNowhere = anchor !== undefined && !isNamed(anchor);
        if (places > 1 || isNowhere) {
          const which = isNowhere ? 'means no schema' : `may mean any of ${places} schemas`;
          const taken = isNowhere ? 'any value' : 'the one around it, or for any value';
          warnings.add(
            pointerOf(location),
            `${JSON.stringify(ref)} ${which}; taken for ${taken}`,
            'Refer to a schema with `$ref`.',
          );
          return false;
        }
        const members = node as Record<string, Json>;
        delete members['$dynamicRef'];
        members['$ref'] = ref;
        return true;
      }),
  };
};
