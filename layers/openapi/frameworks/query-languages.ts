import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import {
  isOfElysia,
  isOfGrape,
  isOfHapi,
  isOfNest,
  isOfPhp,
  isOfSpringdoc,
} from './fingerprints.ts';
import type { Habit } from './habit.ts';

/** How a framework parses queries where OpenAPI leaves it open. */
export interface QueryLanguage extends Habit {
  readonly isWritten: (of: { root: JsonObject; queryNames: ReadonlySet<string> }) => boolean;
  /** Writes objects as `a[b]=1` and `a[b][c]=1`, except those that are spread: their members are parameters, none required. */
  readonly brackets?: { readonly isSpread: (name: string) => boolean };
  /** Lists are written as `a[]=1`: of the same name without them, the last value counts. */
  readonly lists?: true;
  /** Objects are JSON text. */
  readonly json?: true;
  /** Nested objects of a spread object are written as `a.b=1`. */
  readonly dots?: true;
  /** Booleans are written as 1 and 0. */
  readonly digits?: true;
  /** Texts for arguments that filter, and for tools that have one. */
  readonly filters?: {
    readonly isFilter: (name: string) => boolean;
    readonly argument: string;
    readonly tool: string;
  };
}

/** Query parameters of PostgREST that are no columns. */
const NO_COLUMN = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'and',
  'or',
  'not.and',
  'not.or',
]);

/** Languages, of which the first match counts. What a description declares (`style`, `content`) has precedence. */
export const QUERY_LANGUAGES = [
  {
    frameworks: 'FeathersJS',
    writes: '`$limit`, `$skip`, `$sort` and an exploded `filter` with `$in`, `$gt` ...',
    takes: '`$sort[email]=1`, `email[$in][]=a`',
    source: 'FeathersJS, "Querying"; feathers-swagger, lib/v3/generator.js',
    isWritten: ({ queryNames }) =>
      queryNames.has('$limit') || queryNames.has('$skip') || queryNames.has('$sort'),
    brackets: { isSpread: (name) => !name.startsWith('$') },
  },
  {
    frameworks: 'Spring with springdoc',
    writes: 'an object in an object of a query, without a style',
    takes: '`address.city=Bern`, `items[0].name=a`',
    source: 'Spring Framework, "Data Binding", BeanWrapper',
    isWritten: ({ root }) => isOfSpringdoc(root),
    dots: true,
  },
  {
    frameworks: 'swagger-php, L5-Swagger, Scramble, Scribe, Nelmio, API Platform',
    writes: 'lists, objects and booleans, without a style',
    takes: '`ids[]=1&ids[]=2`, `filter[name]=a`, `active=1`: no `true`',
    source: 'PHP manual, "Variables From External Sources"; Laravel, "Validation", boolean',
    isWritten: ({ root }) => isOfPhp(root),
    brackets: { isSpread: () => false },
    lists: true,
    digits: true,
  },
  {
    frameworks: 'Grape with grape-swagger',
    writes: 'lists in a query, without a `collectionFormat`',
    takes: '`ids[]=1&ids[]=2`',
    source: 'Rack, "Query parsing"; grape-swagger, lib/grape-swagger/doc_methods/parse_params.rb',
    isWritten: ({ root }) => isOfGrape(root),
    brackets: { isSpread: () => false },
    lists: true,
  },
  {
    frameworks: 'NestJS',
    writes: 'an object in a query, without a style',
    takes: '`filter[name]=a`, with the query parser of Express that reads objects',
    source: 'Express, "app.set", query parser; qs, README',
    isWritten: ({ root }) => isOfNest(root),
    brackets: { isSpread: () => false },
  },
  {
    frameworks: 'Elysia',
    writes: 'an object in a query, without a style',
    takes: 'JSON text: `filter={"a":1}`',
    source: 'Elysia, src/type-system/index.ts, `ObjectString`',
    isWritten: ({ root }) => isOfElysia(root),
    json: true,
  },
  {
    frameworks: 'hapi',
    writes: 'an object in a query, without a style',
    takes: '`filter[name]=a`, with a query parser that reads objects',
    source: 'hapi, API, `server.options.query.parser`',
    isWritten: ({ root }) => isOfHapi(root),
    brackets: { isSpread: () => false },
  },
  {
    frameworks: 'PostgREST, Supabase',
    writes: 'a column as a parameter of type `string`',
    takes: 'an operator and a value: `id=eq.5`',
    source: 'PostgREST, "Tables and Views", Horizontal Filtering',
    isWritten: ({ root }) => {
      const info = member(root, 'info');
      const docs = member(root, 'externalDocs');
      const texts = [info, docs].flatMap((node) =>
        isObject(node)
          ? ['title', 'description', 'url'].map((field) => textMember(node, field))
          : [],
      );
      const parameters = member(root, 'parameters');
      return (
        texts.some((text) => /\bpostgrest\b/i.test(text)) ||
        (isObject(parameters) &&
          Object.keys(parameters).some((name) => name.startsWith('rowFilter.')))
      );
    },
    filters: {
      isFilter: (name) => !NO_COLUMN.has(name),
      argument: 'Operator and value: eq.5.',
      tool: 'Filters are an operator and a value: eq.5, neq.5, gt.5, gte.5, lt.5, lte.5, like.*a*, ilike.*a*, in.(1,2), is.null, not.eq.5.',
    },
  },
  {
    frameworks:
      'Laravel, Rails, Symfony, Strapi, JSON:API and whatever has names such as `filter[name]`',
    writes: 'some names with brackets, and objects without a style',
    takes: '`filter[name]=a`',
    source: 'PHP manual, "Variables From External Sources"; Rack, "Query parsing"; qs, README',
    isWritten: ({ queryNames }) => [...queryNames].some((name) => /^[\w$.-]+\[[^\]]+\]/.test(name)),
    brackets: { isSpread: () => false },
  },
] as const satisfies readonly QueryLanguage[];

export const queryLanguage = (root: JsonObject): QueryLanguage | undefined => {
  const fingerprint = { root, queryNames: namesInQueries(root) };
  return (QUERY_LANGUAGES as readonly QueryLanguage[]).find(({ isWritten }) =>
    isWritten(fingerprint),
  );
};

const namesInQueries = (root: JsonObject): ReadonlySet<string> => {
  const names = new Set<string>();
  const read = (list: Json | undefined): void => {
    if (typeof list !== 'object' || list === null) return;
    for (const parameter of Object.values(list)) {
      if (isObject(parameter) && parameter['in'] === 'query')
        names.add(textMember(parameter, 'name'));
    }
  };
  const components = member(root, 'components');
  read(member(root, 'parameters'));
  if (isObject(components)) read(member(components, 'parameters'));
  for (const item of Object.values(objectMember(root, 'paths'))) {
    if (!isObject(item)) continue;
    for (const holder of [item, ...Object.values(item)]) {
      if (isObject(holder)) read(member(holder, 'parameters'));
    }
  }
  return names;
};

/** Names that frameworks give to parameters that are maps. */
export const MAPS = [
  {
    frameworks: 'grpc-gateway',
    writes: '`labels[string]`, a request variable of the map type',
    takes: '`labels[key]=value`',
    source: 'grpc-gateway, protoc-gen-openapiv2/internal/genopenapi/template.go',
    written: /^([^[\]]+)\[(?:string|bool|u?int(?:32|64))\]$/,
    said: 'This is a request variable of the map type.',
  },
] as const satisfies readonly (Habit & { readonly written: RegExp; readonly said: string })[];

interface Named {
  readonly name: string;
  readonly schema: Json | undefined;
  readonly annotations: JsonObject;
}

/** Turns a parameter into a map where its name and description show that it is one. */
export const asMap = <Parameter extends Named>(parameter: Parameter): Parameter => {
  const text = textMember(parameter.annotations, 'description');
  const found = MAPS.flatMap(({ written, said }) => {
    const [, name] = written.exec(parameter.name) ?? [];
    const at = text.indexOf(said);
    return name === undefined || at < 0 ? [] : [{ name, description: text.slice(0, at).trim() }];
  });
  const [map] = found;
  if (map === undefined) return parameter;
  const { description: _, ...value } = isObject(parameter.schema) ? parameter.schema : {};
  const { description: __, ...annotations } = parameter.annotations;
  return {
    ...parameter,
    name: map.name,
    schema: { type: 'object', additionalProperties: value },
    annotations:
      map.description === '' ? annotations : { ...annotations, description: map.description },
    style: 'deepObject',
    explode: true,
  };
};
