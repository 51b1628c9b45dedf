import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { OperationBody } from '../tool-index.ts';
import { isMergePatch } from '../tool-index.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import {
  concreteMediaType,
  fittingPatches,
  formOf,
  isXml,
  preferredMediaType,
  readEncodings,
  wantedMediaType,
  withinLimit,
  withoutDefaultStyle,
  withPartTypes,
  withTextParts,
} from './encodings.ts';
import { readerOfPosts, readerOfUploads, readsPlainFields } from '../frameworks/form-readers.ts';
import { isOfDjango } from '../frameworks/fingerprints.ts';
import { isWithoutHabits, WITHOUT_HABITS } from '../frameworks/habit.ts';
import { withPlainFields } from '../frameworks/multipart-fields.ts';
import type { QueryLanguage } from '../frameworks/query-languages.ts';
import { isOnly, mayBeObject, namelessFields, schemaIn, stringContent } from './body-schema.ts';
import {
  hasFile,
  withFiles,
  withFilesInside,
  withoutNeedOfFiles,
  withNamedFiles,
} from './files.ts';
import {
  asFields,
  isNestedAsFields,
  nestedFields,
  nestedReader,
  withUntypedParts,
} from './form-fields.ts';
import { REMOVES, withNulls } from './merge-patch.ts';
import type { Parameters } from './parameters.ts';
import { partsByPosition } from './positions.ts';
import { type DescribedBody, needOf, swaggerBody } from './swagger-body.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { XmlOutline } from './xml-outline.ts';

export interface Body extends DescribedBody {
  readonly form: OperationBody['form'];
  /** For a text body: a binary media type that the API accepts too. */
  readonly bytesType?: string;
  /** See `OperationBody`. */
  readonly isPosted?: true;
  readonly filename?: string;
  readonly notes: readonly string[];
}

export interface BodyContext {
  readonly description: Description;
  readonly schemas: Pick<Schemas, 'flat'>;
  readonly xmlOutline: XmlOutline;
  readonly language?: QueryLanguage;
}

/** Reads the request body in the preferred media type. Source: docs/tools.md, "Bodies". */
export const readBody = (
  { description, schemas, xmlOutline, language }: BodyContext,
  found: FoundOperation,
  parameters: Pick<Parameters, 'body' | 'formData'>,
): Body | undefined => {
  const body =
    description.dialect === 'swagger-2.0'
      ? swaggerBody(description.root, schemas, found, parameters)
      : requestBody(description, schemas, found);
  if (!body || isNothing(found, body, schemas)) return undefined;

  const isRaw = isRawUpload(description.root, body, schemas);
  const { mediaType, isGuess } = concreteMediaType(
    body.mediaType,
    isRaw ? 'bytes' : stringContent(body.schema, schemas),
  );
  const form = formOf(mediaType);
  const bytesType =
    form === 'text'
      ? withinLimit(body.offered).find((type) => formOf(type) === 'binary' && !type.includes('*'))
      : undefined;
  if (body.isByPosition) return { ...body, mediaType, form, notes: [PARTS] };
  const isForm = form === 'multipart' || form === 'form';
  const isList =
    /^multipart\/form-data\b/i.test(mediaType) && isOnly('array', body.schema, schemas);
  const isNameless = isForm && (isList || isOnly('string', body.schema, schemas));
  const partsOf = (own: Body['encoding'], form: Json | undefined) => {
    const typed = withPartTypes(own, form, schemas);
    return readsPlainFields(description.root) ? withUntypedParts(typed, form, schemas) : typed;
  };
  const fields =
    form === 'multipart'
      ? withPlainFields(description.root, schemas, body.schema)
      : { schema: body.schema, names: [] };
  const named =
    form === 'multipart'
      ? withNamedFiles(schemas, fields.schema)
      : { schema: fields.schema, names: [] };
  const described = isNameless ? namelessFields(body.schema, schemas) : named.schema;
  const hasHabits = !isWithoutHabits(description.root, found.operation);
  const reader =
    isForm && hasHabits && !readsPlainFields(description.root)
      ? nestedReader(description.root, schemas, described, form, language)
      : undefined;
  const inside = form === 'multipart' ? withFilesInside(schemas, described) : [];
  const nested = nestedFields(description.root, schemas, body, described, inside, reader);
  const poster =
    hasHabits && form === 'multipart' ? readerOfPosts(description.root, found.method) : undefined;
  const encoding = form === 'multipart' ? partsOf(nested.encoding, described) : nested.encoding;
  const hasFields = (name: string): boolean =>
    inside.includes(name) && isNestedAsFields(member(encoding, name));
  const { schema, texts } =
    form === 'multipart'
      ? withTextParts(encoding, withFiles(schemas, described, hasFields), schemas)
      : { schema: schemaIn(form, mediaType, described, schemas, bytesType), texts: [] };
  const warn = (what: string, hint: string): Finding => ({ where: found.pointer, what, hint });
  const warnings = [
    ...body.warnings,
    ...(isGuess
      ? [
          warn(
            `${body.mediaType.includes('*') ? `the body may be any ${body.mediaType}` : `${body.mediaType} is no media type`}; it is sent as ${mediaType}`,
            'Name the media type that the API takes.',
          ),
        ]
      : []),
    ...(isXml(mediaType)
      ? [
          warn(
            'the body is XML, which is sent as the text that the model writes',
            'Offer JSON as well, if the API takes it.',
          ),
        ]
      : []),
    ...texts.map((name) =>
      warn(
        `the part ${name} is an object, which is sent as the text that the model writes`,
        'Offer the part as JSON as well, if the API takes it.',
      ),
    ),
    ...(nested.by !== undefined && nested.names.length > 0
      ? [
          warn(
            asFields(nested.by, nested.isForFiles),
            'Declare `encoding` of the field if the API reads it otherwise, such as `contentType: application/json`.',
          ),
        ]
      : []),
    ...(nested.switches.length > 0
      ? [
          warn(
            `booleans in its form are written as 1 and 0, as ${nested.by?.frameworks} read them`,
            WITHOUT_HABITS,
          ),
        ]
      : []),
    ...(nested.fileLists.length > 0
      ? [
          warn(
            `lists of files are parts called a[], as ${nested.by?.frameworks} read them`,
            WITHOUT_HABITS,
          ),
        ]
      : []),
    ...(poster === undefined
      ? []
      : [
          warn(
            `the form is sent as a POST whose header says ${found.method}, as ${poster} read it`,
            WITHOUT_HABITS,
          ),
        ]),
    ...inside
      .filter((name) => !hasFields(name))
      .map((name) =>
        warn(
          `the part ${name} has a file among its members, which is sent as text`,
          'Declare `style: deepObject` in its `encoding` if the API takes fields such as a[file].',
        ),
      ),
    ...fields.names.map((name) =>
      warn(
        `the part ${name} is described as an object of its value, as Fastify holds it; it is sent as that`,
        'Describe it as what it is, such as `type: string`.',
      ),
    ),
    ...named.names.map((name) =>
      warn(
        `the part ${name} is called a file, and described as a text; it is sent as a file`,
        'Write `format: binary` beside it, or `contentMediaType: text/plain` if it is a text.',
      ),
    ),
    ...(form === 'multipart' && !/^multipart\/form-data\b/i.test(mediaType)
      ? [
          warn(
            `the parts of ${mediaType} are written as those of multipart/form-data`,
            'Leave the operation out, unless the API reads them so.',
          ),
        ]
      : []),
    ...(isNameless
      ? [
          warn(
            `no field of ${mediaType} has a name; any field is sent`,
            'Describe the body as an object.',
          ),
        ]
      : []),
    ...(isForm && !mayBeObject(schema, schemas)
      ? [
          warn(
            `a body that is no object cannot be written as ${mediaType}; calls fail`,
            'Leave the operation out, or describe the body as an object.',
          ),
        ]
      : []),
  ];
  const outline = isXml(mediaType) ? xmlOutline(body.schema) : undefined;
  const isPatch = form === 'json' && isMergePatch({ mediaType });
  const notes = [
    ...(outline === undefined ? [] : [`In this form: ${outline}`]),
    ...(isPatch ? [REMOVES] : []),
  ];
  return {
    ...body,
    schema: isPatch ? withNulls(schemas, schema) : schema,
    mediaType,
    form,
    ...(bytesType === undefined ? {} : { bytesType }),
    ...(isRaw && { filename: 'file' }),
    ...(poster === undefined ? {} : { isPosted: true }),
    encoding,
    notes,
    warnings,
  };
};

const PARTS = 'One item is one part of the body, in this order.';

/** Whether a GET, HEAD or DELETE has an empty optional body, as Stripe describes it for each. */
const isNothing = (
  { method }: FoundOperation,
  { schema, required }: DescribedBody,
  schemas: Pick<Schemas, 'flat'>,
): boolean => {
  if (required || !['GET', 'HEAD', 'DELETE'].includes(method) || !isObject(schema)) return false;
  const flat = schemas.flat(schema);
  const properties = member(flat, 'properties');
  const isEmpty = !isObject(properties) || Object.keys(properties).length === 0;
  return isEmpty && flat['additionalProperties'] === false && flat['anyOf'] === undefined;
};

/** Whether Django's parser of raw files reads the body, which is described by the serializer around the file. */
const isRawUpload = (
  root: JsonObject,
  { mediaType, schema }: DescribedBody,
  schemas: Pick<Schemas, 'flat'>,
): boolean =>
  mediaType === '*/*' &&
  isOfDjango(root) &&
  (stringContent(schema, schemas) === 'bytes' || hasFile(schema, schemas));

const requestBody = (
  { dialect, root }: Description,
  schemas: Pick<Schemas, 'flat'>,
  { operation, pointer }: FoundOperation,
): DescribedBody | undefined => {
  const body = resolved(root, member(operation, 'requestBody') ?? null);
  const content = isObject(body) ? member(body, 'content') : undefined;
  if (!isObject(body) || !isObject(content)) return undefined;
  const offered = Object.keys(content);
  const schemaOf = (type: string): Json | undefined => {
    const media = resolved(root, member(content, type) ?? null);
    return isObject(media) ? member(media, 'schema') : undefined;
  };
  const multipart = multipartForFiles(offered, schemas, schemaOf);
  const preferred = multipart ?? preferredMediaType(fittingPatches(offered, schemas, schemaOf));
  if (preferred === undefined) return undefined;
  const wanted = wantedMediaType(body, operation);
  const isUpload =
    wanted === undefined &&
    formOf(preferred) === 'json' &&
    hasFile(schemaOf(preferred), schemas) &&
    !(preferred === '*/*' && isOfDjango(root));
  const reader = isUpload ? readerOfUploads(root) : undefined;
  const mediaType = wanted ?? (reader === undefined ? preferred : 'multipart/form-data');
  const media = resolved(root, member(content, mediaType) ?? member(content, preferred) ?? null);
  const { schema: one, itemSchema, encoding } = objectOf(media);
  const given =
    one ?? (itemSchema === undefined ? undefined : { type: 'array', items: itemSchema });
  const json = mediaType === multipart ? inJson(offered, schemas, schemaOf, given) : undefined;
  const { jsonType, schema = given } = json ?? {};
  const description = member(body, 'description');
  const placed = isObject(media)
    ? partsByPosition(root, schemas, media, mediaType, schema, pointer)
    : undefined;
  const read =
    dialect === 'openapi-3.0' && formOf(mediaType) === 'multipart'
      ? withoutDefaultStyle(readEncodings(root, schemas, encoding, pointer))
      : readEncodings(root, schemas, encoding, pointer);
  return {
    mediaType,
    offered,
    ...(jsonType === undefined ? {} : { jsonType }),
    ...needOf(body),
    schema,
    ...(description === undefined ? {} : { description }),
    ...read,
    ...(placed && { ...placed, isByPosition: true }),
    warnings: [...(placed ?? read).warnings, ...(isUpload ? [uploadAsJson(pointer, reader)] : [])],
  };
};

/** JSON that takes the same as a form, or all of it but the files; without one, a call sends JSON. */
const inJson = (
  offered: readonly string[],
  schemas: Pick<Schemas, 'flat'>,
  schemaOf: (type: string) => Json | undefined,
  form: Json | undefined,
): { readonly jsonType: string; readonly schema?: JsonObject } | undefined => {
  for (const type of withinLimit(offered)) {
    if (formOf(type) !== 'json' || type.includes('*')) continue;
    if (isDeepStrictEqual(schemaOf(type), form)) return { jsonType: type };
    const schema = withoutNeedOfFiles(schemas, form, schemaOf(type));
    if (schema) return { jsonType: type, schema };
  }
  return undefined;
};

/** JSON cannot contain bytes, so another media type must be meant. */
const uploadAsJson = (where: string, reader: string | undefined): Finding =>
  reader === undefined
    ? {
        where,
        what: 'the body is JSON, and has a file in it; that is sent as a text',
        hint: 'If the API takes a form, write `x-media-type: multipart/form-data` beside its `content`.',
      }
    : {
        where,
        what: `the body has a file, and is called JSON; it is sent as multipart/form-data, as ${reader} reads it`,
        hint: 'If the API takes JSON, write `x-media-type: application/json` beside its `content`.',
      };

const multipartForFiles = (
  offered: readonly string[],
  schemas: Pick<Schemas, 'flat'>,
  schemaOf: (mediaType: string) => Json | undefined,
): string | undefined =>
  withinLimit(offered).find(
    (type) =>
      formOf(type) === 'multipart' &&
      (hasFile(schemaOf(type), schemas) || withFilesInside(schemas, schemaOf(type)).length > 0),
  );
