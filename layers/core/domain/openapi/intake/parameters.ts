import type { Finding } from '../../refusal.ts';
import {
  type Dialect,
  isObject,
  type Json,
  type JsonObject,
  member,
  pointerTo,
  target,
} from '../document.ts';
import type { WarnStrayFields } from './fields.ts';
import { finding, type Warnings } from './findings.ts';

const PLACES: Readonly<Record<Dialect, readonly string[]>> = {
  'swagger-2.0': ['path', 'query', 'header', 'body', 'formData'],
  'openapi-3.0': ['path', 'query', 'header', 'cookie'],
  'openapi-3.1': ['path', 'query', 'header', 'cookie'],
  'openapi-3.2': ['path', 'query', 'header', 'cookie', 'querystring'],
};

/** Of one list: far beyond what a model can fill in. */
const MAX_PARAMETERS = 1000;

/** Names of the path parameters in a list of parameters; faults and warnings go where they are collected. */
export type ReadParameters = (node: Json | undefined, pointer: string) => ReadonlySet<string>;

/**
 * Checks lists of parameters, each once however many operations share it: without a name and a place
 * no one can say what is to be sent, which is a fault.
 */
export const parameterReader = (
  root: JsonObject,
  dialect: Dialect,
  faults: Finding[],
  warnings: Warnings,
  warnStrayFields: WarnStrayFields,
): ReadParameters => {
  const known = new Map<Json, ReadonlySet<string>>();

  const read: ReadParameters = (node, pointer) => {
    const names = new Set<string>();
    // YAML makes null of a list that is commented out; the survey has warned of it.
    if (node === undefined || node === null) return names;
    if (!Array.isArray(node)) {
      faults.push(finding(pointer, 'parameters are no list', 'Write a list of parameters.'));
      return names;
    }
    if (node.length > MAX_PARAMETERS) {
      const what = `more than ${MAX_PARAMETERS} parameters`;
      faults.push(finding(pointer, what, 'Leave out those that calls do not need.'));
      return names;
    }
    const seen = new Set<string>();
    node.forEach((entry: Json, index) => {
      const at = pointer + pointerTo(index);
      const parameter = target(root, entry);
      if (!isObject(parameter)) {
        faults.push(finding(at, 'no parameter object', 'Write a parameter, or remove it.'));
        return;
      }
      const name = member(parameter, 'name');
      const place = member(parameter, 'in');
      if (typeof name !== 'string' || name === '') {
        faults.push(finding(at, 'a parameter without a name', 'Add `name`, a text.'));
        return;
      }
      if (typeof place !== 'string' || !PLACES[dialect].includes(place)) {
        const found = place === undefined ? 'no `in`' : `\`in: ${JSON.stringify(place)}\``;
        const mend = `Let \`in\` be one of ${PLACES[dialect].join(', ')}.`;
        faults.push(finding(at, `parameter ${JSON.stringify(name)} has ${found}`, mend));
        return;
      }
      if (seen.has(`${place} ${name}`)) {
        warnings.add(
          at,
          `parameter ${JSON.stringify(name)} stands twice`,
          'Remove one of the two.',
        );
      }
      seen.add(`${place} ${name}`);
      if (place === 'path') names.add(name);
      warnStrayFields(parameter, 'parameter', at);
    });
    return names;
  };

  return (node, pointer) => {
    if (!isObject(node) && !Array.isArray(node)) return read(node, pointer);
    const names = known.get(node) ?? read(node, pointer);
    known.set(node, names);
    return names;
  };
};
