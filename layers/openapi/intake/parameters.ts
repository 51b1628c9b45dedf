import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, member } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { type Dialect, target } from '../document.ts';
import { type Faults, finding, type Warnings } from './findings.ts';
import type { ListedDocument } from './paths.ts';
import type { WarnUnknownFields } from './unknown-fields.ts';

const PLACES: Readonly<Record<Dialect, readonly string[]>> = {
  'swagger-2.0': ['path', 'query', 'header', 'body', 'formData'],
  'openapi-3.0': ['path', 'query', 'header', 'cookie'],
  'openapi-3.1': ['path', 'query', 'header', 'cookie'],
  'openapi-3.2': ['path', 'query', 'header', 'cookie', 'querystring'],
};

/** Of one list: far beyond what a model can fill in. */
const MAX_PARAMETERS = 1000;

export interface ParameterList {
  /** Names of the path parameters. */
  readonly inPath: ReadonlySet<string>;
  /** What keeps operations with these parameters from being called. */
  readonly unknown: readonly Finding[];
}

/** Reads a list of parameters; faults of the description and warnings go where they are collected. */
export type ReadParameters = (node: Json | undefined, pointer: string) => ParameterList;

/**
 * Checks lists of parameters, each once however many operations share it: without a name and a place
 * no one can say what is to be sent.
 */
export const parameterReader = (
  { root, dialect, unknown: unknownRequests }: ListedDocument,
  faults: Faults,
  warnings: Warnings,
  warnUnknownFields: WarnUnknownFields,
): ReadParameters => {
  const known = new Map<Json, ParameterList>();

  const read: ReadParameters = (node, pointer) => {
    const inPath = new Set<string>();
    const unknown: Finding[] = [];
    const list = { inPath, unknown };
    const leaveOut = (why: Finding): void => {
      unknown.push(why);
      faults.leaveOut(why);
    };
    // YAML makes null of a list that is commented out; `walkDocument` has warned of it.
    if (node === undefined || node === null) return list;
    if (!Array.isArray(node)) {
      leaveOut(finding(pointer, 'parameters are no list', 'Write a list of parameters.'));
      return list;
    }
    if (node.length > MAX_PARAMETERS) {
      const what = `more than ${MAX_PARAMETERS} parameters`;
      leaveOut(finding(pointer, what, 'Leave out those that calls do not need.'));
      return list;
    }
    const seen = new Set<string>();
    node.forEach((entry: Json, index) => {
      const at = pointer + pointerTo(index);
      const why = isObject(entry) ? unknownRequests.get(entry) : undefined;
      if (why) {
        leaveOut(why);
        return;
      }
      const parameter = target(root, entry);
      if (!isObject(parameter)) {
        leaveOut(finding(at, 'no parameter object', 'Write a parameter, or remove it.'));
        return;
      }
      const name = member(parameter, 'name');
      const place = member(parameter, 'in');
      if (typeof name !== 'string' || name === '') {
        leaveOut(finding(at, 'a parameter without a name', 'Add `name`, a text.'));
        return;
      }
      if (typeof place !== 'string' || !PLACES[dialect].includes(place)) {
        const found = place === undefined ? 'no `in`' : `\`in: ${JSON.stringify(place)}\``;
        const hint = `Let \`in\` be one of ${PLACES[dialect].join(', ')}.`;
        leaveOut(finding(at, `parameter ${JSON.stringify(name)} has ${found}`, hint));
        return;
      }
      if (seen.has(`${place} ${name}`)) {
        warnings.add(
          at,
          `parameter ${JSON.stringify(name)} occurs twice`,
          'Remove one of the two.',
        );
      }
      seen.add(`${place} ${name}`);
      if (place === 'path') inPath.add(name);
      warnUnknownFields(parameter, 'parameter', at);
    });
    return list;
  };

  return (node, pointer) => {
    if (!isObject(node) && !Array.isArray(node)) return read(node, pointer);
    const list = known.get(node) ?? read(node, pointer);
    known.set(node, list);
    return list;
  };
};
