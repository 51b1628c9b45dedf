import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { isJson, withinLimit } from '../operation/encodings.ts';

/** No honest operation describes more answers. */
const MOST_RESPONSES = 100;

/**
 * The schemas that a description has for the JSON with which an operation succeeds, one for each status and
 * media type; undefined for one that is not described. None where it answers without JSON.
 *
 * Source: OpenAPI 3.1.1, "Responses Object"; Swagger 2.0, "Response Object".
 */
export const answerSchemas = (
  description: Description,
  { method, operation }: FoundOperation,
): readonly (Json | undefined)[] => {
  // The answer to HEAD is its headers.
  if (method === 'HEAD') return [];
  const { root } = description;
  const responses = member(operation, 'responses');
  const read = description.dialect === 'swagger-2.0' ? swaggerSchemas : openapiSchemas;
  return Object.entries(isObject(responses) ? responses : {})
    .slice(0, MOST_RESPONSES)
    .filter(([status]) => /^2(?:\d\d|xx)$/i.test(status))
    .flatMap(([, node]) => {
      const response = resolved(root, node);
      return isObject(response) ? read(response, root, operation) : [];
    });
};

type Reader = (
  response: JsonObject,
  root: JsonObject,
  operation: JsonObject,
) => readonly (Json | undefined)[];

const openapiSchemas: Reader = (response) => {
  const content = member(response, 'content');
  if (!isObject(content)) return [];
  return withinLimit(Object.keys(content))
    .filter(isJson)
    .flatMap((type) => {
      const media = member(content, type);
      const schema = isObject(media) ? member(media, 'schema') : undefined;
      return isBytes(schema) ? [] : [schema];
    });
};

/** What says nothing of its media types answers with JSON, as nearly all do. */
const swaggerSchemas: Reader = (response, root, operation) => {
  const schema = member(response, 'schema');
  if (schema === undefined || isBytes(schema)) return [];
  const produces = [member(operation, 'produces'), member(root, 'produces')].find(Array.isArray);
  const types = withinLimit((produces ?? []).filter((type) => typeof type === 'string'));
  return types.length === 0 || types.some(isJson) ? [schema] : [];
};

/** A file that is offered as any type. Source: OpenAPI 3.0.4, "Considerations for File Uploads". */
const isBytes = (schema: Json | undefined): boolean =>
  isObject(schema) && (schema['format'] === 'binary' || schema['type'] === 'file');
