import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Warnings } from '../intake/findings.ts';
import { isOfNest } from './fingerprints.ts';
import type { Habit, RecognizedHabit } from './habit.ts';
import { isBareObject } from './placeholders.ts';

interface TakenApart extends Habit {
  /** Name of the component, and properties it must have; an empty list matches a component without any. */
  readonly name: RegExp;
  readonly members: readonly string[];
  readonly schema: JsonObject;
}

const text = (example: string): JsonObject => ({ type: 'string', example });

const FILE: JsonObject = { type: 'string', format: 'binary' };

const OF_JACKSON = 'jackson-modules-java8, README of jackson-datatype-jsr310';
const OF_DOTNET = '.NET, "Date and time support in System.Text.Json"';

/** Types that generators describe by their getters, while servers read them as one value. */
export const TAKEN_APART = [
  {
    frameworks: 'springdoc, Micronaut, swagger-core',
    writes: '`LocalTime` as an object of `hour`, `minute`, `second`, `nano`',
    takes: '`"10:15:00"`',
    source: OF_JACKSON,
    name: /^LocalTime$/,
    members: ['hour', 'minute', 'second', 'nano'],
    schema: text('10:15:00'),
  },
  {
    frameworks: 'springdoc, Micronaut, swagger-core',
    writes: '`YearMonth` as an object of `year`, `month`, `monthValue`, `leapYear`',
    takes: '`"2026-01"`',
    source: OF_JACKSON,
    name: /^YearMonth$/,
    members: ['year', 'monthValue', 'leapYear'],
    schema: text('2026-01'),
  },
  {
    frameworks: 'springdoc, Micronaut, swagger-core',
    writes: '`Duration` as an object of `seconds`, `nano`, `negative`, `zero`',
    takes: '`"PT15M"`',
    source: OF_JACKSON,
    name: /^Duration$/,
    members: ['seconds', 'nano', 'negative', 'zero'],
    schema: text('PT15M'),
  },
  {
    frameworks: 'springdoc, Micronaut, swagger-core',
    writes: '`Instant` as an object of `epochSecond`, `nano`',
    takes: '`"2026-01-31T10:15:00Z"`',
    source: OF_JACKSON,
    name: /^Instant$/,
    members: ['epochSecond', 'nano'],
    schema: { type: 'string', format: 'date-time' },
  },
  {
    frameworks: 'openapi-generator for Spring',
    writes: '`JsonNullableString` as an object of `present`',
    takes: 'the value, or null',
    source: 'jackson-databind-nullable, README',
    name: /^JsonNullable/,
    members: ['present'],
    schema: {},
  },
  {
    frameworks: 'Swashbuckle, NSwag',
    writes: '`TimeSpan` as an object of `ticks`, `days`, `hours` ...',
    takes: '`"01:30:00"`',
    source: OF_DOTNET,
    name: /^TimeSpan$/,
    members: ['ticks', 'days', 'hours', 'minutes', 'seconds'],
    schema: text('01:30:00'),
  },
  {
    frameworks: 'Swashbuckle, NSwag',
    writes: '`DateOnly` as an object of `year`, `month`, `day`, `dayOfWeek`',
    takes: '`"2026-01-31"`',
    source: OF_DOTNET,
    name: /^DateOnly$/,
    members: ['year', 'month', 'day', 'dayOfWeek'],
    schema: { type: 'string', format: 'date' },
  },
  {
    frameworks: 'Swashbuckle, NSwag',
    writes: '`TimeOnly` as an object of `hour`, `minute`, `second`, `ticks`',
    takes: '`"10:15:00"`',
    source: OF_DOTNET,
    name: /^TimeOnly$/,
    members: ['hour', 'minute', 'second', 'ticks'],
    schema: text('10:15:00'),
  },
  {
    frameworks: 'Swashbuckle, NSwag',
    writes: '`IFormFile` as an object of `contentType`, `length`, `fileName` ...',
    takes: 'a file',
    source: 'ASP.NET Core, "Upload files"',
    name: /^IFormFile$/,
    members: ['contentType', 'length', 'fileName'],
    schema: FILE,
  },
  {
    frameworks: 'springfox, springdoc',
    writes: '`MultipartFile` as an object of `bytes`, `originalFilename` ...',
    takes: 'a file',
    source: 'Spring Framework, MultipartFile',
    name: /^MultipartFile$/,
    members: ['bytes', 'originalFilename'],
    schema: FILE,
  },
  {
    frameworks: 'Fastify with @fastify/multipart',
    writes: '`sharedSchemaId` as an object of `fieldname`, `encoding`, `filename`, `mimetype`',
    takes: 'a file',
    source: '@fastify/multipart, README, "JSON Schema body validation"',
    name: /./,
    members: ['fieldname', 'encoding', 'filename', 'mimetype'],
    schema: FILE,
  },
  {
    frameworks: 'Quarkus, RESTEasy, JAX-RS',
    writes: '`FileUpload`, `InputStream`, `InputPart` as an object of nothing',
    takes: 'a file',
    source: 'Quarkus, "REST", Handling multipart form data',
    name: /^(?:FileUpload|InputStream|InputPart|FormDataContentDisposition)$/,
    members: [],
    schema: FILE,
  },
] as const satisfies readonly TakenApart[];

const isScalar = (value: Json | undefined): boolean =>
  ['boolean', 'number', 'string'].includes(typeof value);

/** What a framework writes for a type that it does not know at run time. */
export const LOST_TYPES = [
  {
    frameworks: 'NestJS',
    writes:
      '`type: object` with `nullable: true` or an example that is no object, for `string | null`',
    takes: 'any value',
    source: 'TypeScript, emitDecoratorMetadata: the type of a union is `Object`',
    isWritten: isOfNest,
    isLost: (schema: JsonObject) =>
      isBareObject(schema) && (schema['nullable'] === true || isScalar(schema['example'])),
  },
] as const satisfies readonly (RecognizedHabit & {
  readonly isLost: (schema: JsonObject) => boolean;
})[];

/** Takes lost types out of what such a framework has described: its components and parameters. */
export const repairLostTypes = (root: JsonObject): void => {
  const [lost] = LOST_TYPES.filter(({ isWritten }) => isWritten(root));
  if (!lost) return;
  const open = (holder: Json | undefined, key: string): void => {
    const schema = isObject(holder) ? member(holder, key) : undefined;
    if (!isObject(schema) || !isObject(holder) || !lost.isLost(schema)) return;
    const { type: _, nullable: __, ...rest } = schema;
    Object.assign(holder, Object.fromEntries([[key, rest]]));
  };
  const childrenOf = (node: Json | undefined): readonly Json[] =>
    typeof node === 'object' && node !== null ? Object.values(node) : [];
  const components = member(root, 'components');
  for (const schema of childrenOf(isObject(components) ? member(components, 'schemas') : {})) {
    const properties = isObject(schema) ? member(schema, 'properties') : undefined;
    if (isObject(properties)) for (const name of Object.keys(properties)) open(properties, name);
  }
  for (const operation of childrenOf(member(root, 'paths')).flatMap(childrenOf)) {
    const parameters = isObject(operation) ? member(operation, 'parameters') : undefined;
    for (const parameter of childrenOf(parameters)) open(parameter, 'schema');
  }
};

/** Replaces components of `TAKEN_APART` with the type that servers accept, with a warning for each. */
export const repairTypes = (root: JsonObject, warnings: Warnings): void => {
  const components = member(root, 'components');
  for (const [map, ...place] of [
    [isObject(components) ? member(components, 'schemas') : undefined, 'components', 'schemas'],
    [member(root, 'definitions'), 'definitions'],
  ] as const) {
    if (!isObject(map)) continue;
    for (const { name, members, schema, takes } of TAKEN_APART as readonly TakenApart[]) {
      for (const [component, node] of Object.entries(map)) {
        if (!name.test(component) || !hasMembers(node, members)) continue;
        Object.assign(map, Object.fromEntries([[component, schema]]));
        warnings.add(
          pointerTo(...place, component),
          `described by its members, which servers do not take; read as ${takes.replaceAll('`', '')}`,
          'Describe it as it is sent, or call it otherwise if it is an object.',
        );
      }
    }
  }
};

const hasMembers = (node: Json, members: readonly string[]): boolean => {
  if (!isObject(node) || member(node, 'type') !== 'object') return false;
  const properties = member(node, 'properties');
  if (members.length === 0) return Object.keys(node).every((key) => key === 'type');
  return isObject(properties) && members.every((one) => Object.hasOwn(properties, one));
};
