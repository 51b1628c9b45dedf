import { isObject, type Json, member } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, target } from '../document.ts';

/**
 * Tells how much there is to read for an operation, in characters of JSON: itself, its parameters and body
 * and their schemas, wherever these stand. What thousands of operations refer to stands in the description
 * once, and is read for each of them.
 */
export const operationWeigher = ({
  root,
}: Pick<Description, 'root'>): ((operation: FoundOperation) => number) => {
  const sizeOf = once((node) => JSON.stringify(node).length);
  const schemaIn = (node: Json): number => {
    const schema = isObject(node) ? member(node, 'schema') : undefined;
    return schema === undefined ? 0 : sizeOf(target(root, schema));
  };
  const weightOf = once((node) => {
    const content = isObject(node) ? member(node, 'content') : undefined;
    const types = isObject(content) ? Object.values(content) : [];
    return [node, ...types].reduce<number>((sum, one) => sum + schemaIn(one), sizeOf(node));
  });
  const weightOfAll = once((parameters) =>
    (Array.isArray(parameters) ? parameters : []).reduce<number>(
      (sum, parameter) => sum + weightOf(target(root, parameter)),
      0,
    ),
  );
  return ({ operation, pathItem }) =>
    sizeOf(operation) +
    weightOf(target(root, member(operation, 'requestBody') ?? null)) +
    weightOfAll(member(operation, 'parameters')) +
    weightOfAll(member(pathItem, 'parameters'));
};

/** For each object or list once, however many refer to it; 0 for anything else. */
const once = (measure: (node: Json) => number): ((node: Json | undefined) => number) => {
  const known = new WeakMap<object, number>();
  return (node) => {
    if (typeof node !== 'object' || node === null) return 0;
    const before = known.get(node);
    if (before !== undefined) return before;
    const measured = measure(node);
    known.set(node, measured);
    return measured;
  };
};
