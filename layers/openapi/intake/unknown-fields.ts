import type { JsonObject } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Dialect } from '../document.ts';
import type { Warnings } from './findings.ts';
import { isExtension } from './openapi-fields.ts';

const named = (text: string): readonly string[] => text.split(' ');

/** Fields of a path item that hold operations. `query` and others came with OpenAPI 3.2. */
export const methodFields = (dialect: Dialect): readonly string[] =>
  dialect === 'openapi-3.2' ? METHODS_32 : METHODS;

const METHODS = named('get put post delete options head patch trace');

const METHODS_32 = [...METHODS, 'query', 'additionalOperations'];

/** Of a path item, besides its methods. */
const PATH_ITEM = named('$ref summary description servers parameters');

const OPERATION = named(
  'tags summary description externalDocs operationId parameters requestBody responses callbacks ' +
    'deprecated security servers consumes produces schemes $ref',
);

const PARAMETER = named(
  'name in description required deprecated allowEmptyValue style explode allowReserved schema ' +
    'example examples content summary $ref',
);

/** Of OpenAPI 2.0, where a parameter says itself what other dialects leave to its schema. */
const PARAMETER_2 = named(
  'name in description required schema type format allowEmptyValue items collectionFormat default ' +
    'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems ' +
    'minItems uniqueItems enum multipleOf example examples $ref',
);

export type WarnUnknownFields = (
  node: JsonObject,
  type: 'pathItem' | 'operation' | 'parameter',
  pointer: string,
) => void;

/**
 * Warns of fields that an object does not have in its dialect: most often slips, such as `requird`.
 * Each object is looked at once, however often it is used.
 */
export const unknownFieldWarner = (dialect: Dialect, warnings: Warnings): WarnUnknownFields => {
  const known = {
    pathItem: new Set([...PATH_ITEM, ...methodFields(dialect)]),
    operation: new Set(OPERATION),
    parameter: new Set(dialect === 'swagger-2.0' ? PARAMETER_2 : PARAMETER),
  };
  const checked = new Set<JsonObject>();
  return (node, type, pointer) => {
    if (checked.has(node)) return;
    checked.add(node);
    for (const key of Object.keys(node)) {
      if (known[type].has(key) || isExtension(key)) continue;
      const what = `no field that this ${type} can have; it is ignored`;
      warnings.add(pointer + pointerTo(key), what, 'Correct its name, or remove it.');
    }
  };
};
