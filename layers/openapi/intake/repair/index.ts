import type { JsonObject } from '../../../platform/rules/json/json.ts';
import type { Dialect } from '../../document.ts';
import type { Warnings } from '../findings.ts';
import { repairParameters } from './repair-parameters.ts';
import { repairPaths } from './repair-paths.ts';
import { repairPlaces } from './repair-places.ts';

/**
 * Writes what leaves no doubt about the request as the description's dialect has it, with a warning each,
 * so that all later reading knows one form of it.
 */
export const repair = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  repairPaths(root, dialect, warnings);
  repairParameters(root, dialect, warnings);
  repairPlaces(root, warnings);
};
