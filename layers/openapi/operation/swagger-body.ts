import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import type { FoundOperation } from '../document.ts';
import { type Reader, readerOfNested } from '../frameworks/form-readers.ts';
import { isWithoutHabits } from '../frameworks/habit.ts';
import { readerOfRepeated } from '../frameworks/list-readers.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import {
  collectionStyle,
  fittingPatches,
  formOf,
  preferredMediaType,
  wantedMediaType,
} from './encodings.ts';
import { hasFile } from './files.ts';
import { inlineSchema, type Parameters } from './parameters.ts';
import { propertiesIn } from '../schema/flat-schema.ts';

export interface DescribedBody {
  readonly mediaType: string;
  /** All media types that the API accepts, including the chosen one. */
  readonly offered: readonly string[];
  /** For a form with files: JSON that the API takes with the same schema. */
  readonly jsonType?: string;
  readonly required: boolean;
  /** Whether the description has `required: false` explicitly. */
  readonly isOptional: boolean;
  readonly schema: Json | undefined;
  readonly description?: Json;
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  /** See `OperationBody`. */
  readonly isByPosition?: true;
  readonly warnings: readonly Finding[];
}

export const swaggerBody = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  { operation, pointer }: FoundOperation,
  { body, formData }: Pick<Parameters, 'body' | 'formData'>,
): DescribedBody | undefined => {
  const declared = [member(operation, 'consumes'), member(root, 'consumes')].find(Array.isArray);
  const consumes = (declared ?? []).filter((type) => typeof type === 'string');
  if (body) {
    const wanted = wantedMediaType(body, operation);
    return bodyParameter(body, wanted === undefined ? consumes : [wanted], schemas, pointer);
  }
  const reader = isWithoutHabits(root, operation) ? undefined : readerOfNested(root);
  return formData.length > 0
    ? formParameters(root, formData, consumes, pointer, reader)
    : undefined;
};

const bodyParameter = (
  body: JsonObject,
  consumes: readonly string[],
  schemas: Pick<Schemas, 'flat'>,
  pointer: string,
): DescribedBody => {
  const schema = member(body, 'schema');
  const multipart = hasFile(schema, schemas)
    ? consumes.find((type) => formOf(type) === 'multipart')
    : undefined;
  const patches = fittingPatches(consumes, schemas, () => schema);
  const mediaType = multipart ?? preferredMediaType(patches) ?? 'application/json';
  const description = member(body, 'description');
  const nested = formOf(mediaType) === 'form' && isObject(schema) ? nestedIn(schema, schemas) : [];
  return {
    mediaType,
    offered: consumes,
    ...needOf(body),
    schema,
    ...(description === undefined ? {} : { description }),
    // Swagger 2.0 does not define nesting in forms; nearly all servers parse `a[b]=c`.
    encoding: Object.fromEntries(
      nested.map((name) => [name, { style: 'deepObject', explode: true } as const]),
    ),
    warnings:
      nested.length === 0
        ? []
        : [
            {
              where: pointer,
              what: 'the form has nested values, which Swagger 2.0 does not define; they are sent as a[b]=c',
              hint: 'Check one call of this operation.',
            },
          ],
  };
};

const nestedIn = (schema: JsonObject, schemas: Pick<Schemas, 'flat'>): readonly string[] => {
  return Object.entries(propertiesIn(schemas, schema))
    .filter(([, part]) => isObject(part) && isNested(schemas.flat(part)))
    .map(([name]) => name);
};

const isNested = (schema: JsonObject): boolean => {
  const types = readTypes(schema);
  const isOpen = types.length === 0 || types.includes('object') || types.includes('array');
  return isOpen || Object.hasOwn(schema, 'anyOf');
};

export const needOf = (body: JsonObject) => ({
  required: member(body, 'required') === true,
  isOptional: member(body, 'required') === false,
});

/** Files require multipart. Source: Swagger 2.0, "Parameter Object", `formData`. */
const formParameters = (
  root: JsonObject,
  formData: readonly JsonObject[],
  consumes: readonly string[],
  pointer: string,
  reader: Reader | undefined,
): DescribedBody => {
  const [router] = formData.flatMap((part) => readerOfRepeated(root, part) ?? []);
  // Left to the framework that reads lists in a way of its own, where the description says nothing.
  const isOpen = (part: JsonObject): boolean =>
    part['collectionFormat'] === undefined && reader?.lists === true;

  const parts = formData.map((parameter) => [textMember(parameter, 'name'), parameter] as const);
  const forms = consumes.filter((type) => ['form', 'multipart'].includes(formOf(type)));
  const hasFile = formData.some(({ type }) => type === 'file');
  const required = parts.filter(([, { required: is }]) => is === true).map(([name]) => name);
  return {
    mediaType: hasFile
      ? (forms.find((type) => formOf(type) === 'multipart') ?? 'multipart/form-data')
      : (preferredMediaType(forms) ?? 'application/x-www-form-urlencoded'),
    offered: forms,
    required: required.length > 0,
    isOptional: false,
    schema: {
      type: 'object',
      properties: Object.fromEntries(parts.map(([name, part]) => [name, inlineSchema(part)])),
      required,
    },
    encoding: Object.fromEntries(
      parts
        .filter(([, part]) => part['type'] === 'array' && !isOpen(part))
        .map(([name, part]) => {
          const isRepeated = readerOfRepeated(root, part) !== undefined;
          const { style, explode } = collectionStyle(
            isRepeated ? { ...part, collectionFormat: 'multi' } : part,
            'query',
          );
          return [name, { style, explode }] as const;
        }),
    ),
    warnings:
      router === undefined
        ? []
        : [
            {
              where: pointer,
              what: `lists in its form are written as a=1&a=2, as ${router} read them`,
              hint: 'Write `x-collection-format: csv` beside it if the API takes a=1,2.',
            },
          ],
  };
};
