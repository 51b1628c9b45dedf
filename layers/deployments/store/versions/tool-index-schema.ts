import { exactly } from '../../../platform/rules/shape.ts';
import * as z from 'zod/mini';
import type { ToolIndex } from '../../../openapi/tool-index.ts';

const text = z.string();
const flag = z.boolean();
const texts = z.array(text);
const optional = z.exactOptional;

const Style = z.enum([
  'matrix',
  'label',
  'simple',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
]);

const Parameter = z.object({
  argument: text,
  name: text,
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: flag,
  style: Style,
  explode: flag,
  allowReserved: flag,
  mediaType: optional(text),
  brackets: optional(z.literal(true)),
  dots: optional(z.literal(true)),
  digits: optional(z.literal(true)),
  isQuery: optional(z.literal(true)),
  isMultiSegment: optional(z.literal(true)),
  mayBeEmpty: optional(z.literal(true)),
  mayBeLeftOut: optional(z.literal(true)),
  isRepeated: optional(z.literal(true)),
});

const Encoding = z.object({
  contentType: optional(text),
  isUntyped: optional(z.literal(true)),
  members: optional(z.enum(['dotted', 'django'])),
  isBracketed: optional(z.literal(true)),
  digits: optional(z.literal(true)),
  style: optional(Style),
  explode: optional(flag),
  allowReserved: optional(flag),
  headers: optional(z.record(text, text)),
});

const Source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole'), argument: text }),
  z.object({
    kind: z.literal('properties'),
    properties: z.array(z.object({ argument: text, name: text })),
    additional: flag,
  }),
]);

const Body = z.object({
  required: flag,
  mediaType: text,
  form: z.enum(['json', 'form', 'multipart', 'text', 'binary']),
  source: Source,
  bytesType: optional(text),
  filename: optional(text),
  jsonType: optional(text),
  emptyObject: optional(z.literal(true)),
  emptyArgument: optional(text),
  encoding: optional(z.record(text, Encoding)),
  isByPosition: optional(z.literal(true)),
  isPosted: optional(z.literal(true)),
});

const Rule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('needs'), when: optional(texts), sets: z.array(texts) }),
  z.object({
    kind: z.literal('counts'),
    when: optional(texts),
    of: texts,
    least: optional(z.number()),
    most: optional(z.number()),
  }),
]);

const Call = z.object({
  method: text,
  path: text,
  serverUrl: text,
  operationId: optional(text),
  parameters: z.array(Parameter),
  headers: optional(z.record(text, text)),
  body: optional(Body),
  rules: optional(z.array(Rule)),
  accept: texts,
  answers: optional(
    z.record(text, z.object({ headers: optional(texts), isPage: optional(z.literal(true)) })),
  ),
  constants: optional(z.record(text, z.unknown())),
  defaults: optional(z.record(text, z.unknown())),
  security: optional(z.array(z.array(text))),
  wireNames: optional(z.record(text, text)),
  unlisted: optional(z.record(text, z.record(text, z.unknown()))),
});

const Place = z.object({
  in: z.enum(['path', 'query', 'header', 'cookie', 'body']),
  name: text,
});

const Output = z.object({
  schema: text,
  names: z.object({ note: text, answer: text, parts: text }),
  result: optional(text),
  hasObjects: flag,
});

const Tool = z.object({
  name: text,
  listed: text,
  operation: Call,
  output: optional(Output),
  fixed: optional(z.record(text, z.unknown())),
  withheld: optional(texts),
  withheldPlaces: optional(z.array(Place)),
});

export const ToolIndexSchema = exactly<ToolIndex>()(
  z.object({
    format: z.literal(1),
    tools: z.array(Tool),
  }),
);
