import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Dialect } from '../document.ts';
import { repairAzure } from '../frameworks/azure.ts';
import { repairDirectus } from '../frameworks/directus.ts';
import { gatewayMethods } from '../frameworks/gateway-methods.ts';
import { repairLostTypes, repairTypes } from '../frameworks/taken-apart.ts';
import type { Warnings } from './findings.ts';
import { repairLists } from './repair-lists.ts';
import { repairParameters } from './repair-parameters.ts';
import { repairPlaces } from './repair-places.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { isExtension, methodFields } from './openapi-fields.ts';

/** Corrects slips that leave no doubt about the request, with a warning each: later code handles one form only. */
export const repair = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  repairAzure(root, warnings);
  repairPaths(root, dialect, warnings);
  repairLists(root, dialect, warnings);
  repairTypes(root, warnings);
  repairLostTypes(root);
  repairDirectus(root, warnings);
  repairParameters(root, dialect, warnings);
  repairPlaces(root, dialect, warnings);
};

/** Adds leading slashes to paths and lower-cases methods, unless the result exists already: that is refused later. */
const repairPaths = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  const paths = member(root, 'paths');
  if (!isObject(paths)) return;
  const methods = new Set(methodFields(dialect));
  const gateway = gatewayMethods(methods, warnings);
  const repaired = new Map<JsonObject, JsonObject>();
  let isChanged = false;

  const entries = Object.entries(paths).map(([path, item]): readonly [string, Json] => {
    if (isExtension(path) || !isObject(item)) return [path, item];
    const lacksSlash = !path.startsWith('/') && !Object.hasOwn(paths, `/${path}`);
    const key = lacksSlash ? `/${path}` : path;
    const lower = repaired.get(item) ?? withMethods(item, methods);
    repaired.set(item, lower);
    const newItem = gateway.read(lower, path);
    if (lacksSlash) {
      const what = `the path does not start with a slash; read as ${key}`;
      warnings.add(pointerTo('paths', path), what, 'Begin it with a slash.');
    }
    if (lower !== item) {
      const what = 'methods in capitals; read as those in lower case';
      warnings.add(pointerTo('paths', path), what, 'Write methods in lower case.');
    }
    isChanged ||= lacksSlash || newItem !== item;
    return [key, newItem];
  });
  gateway.end();
  if (isChanged) (root as Record<string, Json>)['paths'] = Object.fromEntries(entries);
};

const withMethods = (item: JsonObject, methods: ReadonlySet<string>): JsonObject => {
  const isSlip = (key: string): boolean => {
    const lower = key.toLowerCase();
    return lower !== key && methods.has(lower) && !Object.hasOwn(item, lower);
  };
  const slips = Object.keys(item).filter(isSlip);
  const lower = new Set(slips.map((key) => key.toLowerCase()));
  // With both `GET` and `Get`, it is unclear which is meant.
  if (slips.length === 0 || lower.size < slips.length) return item;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [isSlip(key) ? key.toLowerCase() : key, value]),
  );
};
