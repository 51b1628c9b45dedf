import { isObject, type JsonObject, member, textMember } from '../../platform/rules/json/json.ts';
import { listMember, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import type { Habit } from './habit.ts';

/** A framework that parses multipart forms differently from OpenAPI. */
export interface FormReader extends Habit {
  readonly isWritten: (root: JsonObject) => boolean;
}

/** Frameworks that read every part with a media type as a file, so that JSON objects are sent to them without one. */
export const READERS_OF_PLAIN_FIELDS = [
  {
    frameworks: 'Strapi',
    writes: 'an object among the fields of an upload, `fileInfo`',
    takes: 'JSON in a part without a media type: one with `application/json` would be a file',
    source: 'Strapi, "Upload files"; formidable, src/Formidable.js, `onPart`',
    isWritten: (root) => member(root, 'x-strapi-config') !== undefined,
  },
] as const satisfies readonly FormReader[];

export const readsPlainFields = (root: JsonObject): boolean =>
  READERS_OF_PLAIN_FIELDS.some(({ isWritten }) => isWritten(root));

/** operationIds that NestJS generates from controller and method. */
const OF_CONTROLLER = /^[A-Z][A-Za-z0-9]*Controller_\w/;

export const isOfSpringdoc = (root: JsonObject): boolean => {
  const servers = member(root, 'servers');
  return (
    objectMember(root, 'info')['title'] === 'OpenAPI definition' ||
    (Array.isArray(servers) &&
      servers.some((one) => isObject(one) && one['description'] === 'Generated server url'))
  );
};

/** Whether an example of a place in a path says that it may be left out. */
export const isOmittedInExample = (parameter: JsonObject): boolean =>
  objectMember(objectMember(parameter, 'examples'), 'omitted')['summary'] ===
  'When the value is omitted';

/** What it says of tokens unless somebody says something else, and of places of a path that may be empty. */
const isOfScribe = (root: JsonObject): boolean => {
  const { default: scheme } = objectMember(objectMember(root, 'components'), 'securitySchemes');
  return (
    (isObject(scheme) && textMember(scheme, 'description').includes('Generate API token')) ||
    Object.values(objectMember(root, 'paths')).some((item) => {
      const parameters = listMember(objectOf(item), 'parameters');
      return parameters.some((one) => isObject(one) && isOmittedInExample(one));
    })
  );
};

/** Frameworks that describe a body as JSON unless told otherwise, while their servers accept files only in forms. */
export const UPLOADS_AS_JSON = [
  {
    frameworks: 'NestJS',
    writes: '`application/json` for a body with a file, without `@ApiConsumes`',
    takes: 'multipart/form-data',
    source: 'NestJS, "OpenAPI", Operations, File upload',
    isWritten: (root) => isOfNest(root),
  },
  {
    frameworks: 'springdoc',
    writes: '`application/json` for a body with a file, without `consumes`',
    takes: 'multipart/form-data',
    source: 'https://github.com/springdoc/springdoc-openapi/issues/3089',
    isWritten: (root) => isOfSpringdoc(root),
  },
] as const satisfies readonly FormReader[];

/** Framework whose server takes uploads as forms although they are described as JSON; undefined if there is none. */
export const readerOfUploads = (root: JsonObject): string | undefined => {
  const known = readers.get(root);
  if (known) return known.of;
  const of = UPLOADS_AS_JSON.find(({ isWritten }) => isWritten(root))?.frameworks;
  readers.set(root, { of });
  return of;
};

/** How a framework reads what is nested in a form, as fields of their own. */
export interface NestedForm extends Habit {
  readonly isWritten: (root: JsonObject) => boolean;
  /** `a[b]`, `a.b` and `a[0].b`, or `a.b` and `a[0]b`. */
  readonly members: 'brackets' | NonNullable<PropertyEncoding['members']>;
  /** A list of plain values is `a[]`: of the same name without them, the last value counts. */
  readonly lists?: true;
  /** So is a list of files. Multer refuses names with brackets that its route does not have. */
  readonly fileLists?: true;
}

/** Of all operations of a description. */
export const isAnyOperation = (
  root: JsonObject,
  is: (operation: JsonObject, method: string, path: string) => boolean,
): boolean =>
  Object.entries(objectMember(root, 'paths')).some(([path, item]) =>
    Object.entries(objectOf(item)).some(
      ([method, one]) => isObject(one) && is(one, method.toLowerCase(), path),
    ),
  );

const isCalled =
  (name: RegExp) =>
  (root: JsonObject): boolean =>
    isAnyOperation(root, (operation) => name.test(textMember(operation, 'operationId')));

export const isOfNest = isCalled(OF_CONTROLLER);

const afterMethod = (operation: JsonObject, method: string): string => {
  const id = textMember(operation, 'operationId');
  return id.startsWith(method) ? id.slice(method.length) : '';
};

/** By API Platform's names, or those of Nelmio: each the method and a route, some of Symfony's controllers. */
const isOfSymfony = (root: JsonObject): boolean =>
  isCalled(/^api_\w+_get_collection$/)(root) ||
  (isAnyOperation(root, (operation, method) =>
    /^_app_[a-z]+_\w+$/.test(afterMethod(operation, method)),
  ) &&
    !isAnyOperation(root, (operation, method) => {
      const id = textMember(operation, 'operationId');
      return id !== '' && !id.startsWith(`${method}_`);
    }));

/** By the md5 of swagger-php, the names of Laravel's routes that Scramble takes over, or what Scribe says. */
export const isOfPhp = (root: JsonObject): boolean =>
  isCalled(/^[0-9a-f]{32}$|\w\.(?:destroy|index|store)$/)(root) ||
  isOfScribe(root) ||
  isOfSymfony(root);

/** By the variable of rswag's template for an address, or the id that Apipie computes. */
const isOfRails = (root: JsonObject): boolean =>
  member(objectMember(root, 'info'), 'x-computed-id') !== undefined ||
  listMember(root, 'servers').some(
    (one) => isObject(one) && textMember(one, 'url').includes('{defaultHost}'),
  );

const typesOfBody = (operation: JsonObject): readonly string[] =>
  Object.keys(objectMember(objectMember(operation, 'requestBody'), 'content'));

const ALL_BODIES = 'application/json application/x-www-form-urlencoded multipart/form-data';

/** Its title where nobody gives one, or operations without `responses` whose body may be anything that it reads. */
export const isOfElysia = (root: JsonObject): boolean =>
  objectMember(root, 'info')['title'] === 'Elysia Documentation' ||
  isAnyOperation(
    root,
    (operation) =>
      typesOfBody(operation).join(' ') === ALL_BODIES && !Object.hasOwn(operation, 'responses'),
  );

/** What it says of answers where nobody says anything: one of any status, a text. */
export const isOfHapi = (root: JsonObject): boolean =>
  isAnyOperation(root, (operation) => {
    const { default: any, ...others } = objectMember(operation, 'responses');
    return (
      isObject(any) &&
      any['description'] === 'Successful' &&
      (Object.hasOwn(any, 'schema') || Object.hasOwn(any, 'content')) &&
      Object.keys(others).length === 0
    );
  });

/** Names of drf-spectacular: of an act that others call differently, or at a path as Django's routers end it. */
export const isOfDjango = (root: JsonObject): boolean =>
  isAnyOperation(root, (operation, method, path) => {
    const id = textMember(operation, 'operationId');
    if (method === 'patch') return /(?:^|_)partial_update(?:_\d+)?$/.test(id);
    return method === 'get' && path.endsWith('/') && /(?:^|_)retrieve(?:_\d+)?$/.test(id);
  });

/** Whether a query is described as oRPC does it: each list and object with all four. */
const isOfOrpc = (root: JsonObject): boolean =>
  isAnyOperation(root, (operation) =>
    listMember(operation, 'parameters').some(
      (one) =>
        isObject(one) &&
        one['in'] === 'query' &&
        one['allowEmptyValue'] === true &&
        one['allowReserved'] === true,
    ),
  );

/** Frameworks that read no JSON in a field of a form where an object is wanted. */
export const NESTED_FORMS = [
  {
    frameworks: 'Django REST framework',
    writes: 'nested serializers in a form',
    takes: '`address.city=Bern`, `items[0]name=a`',
    source: 'Django REST framework, rest_framework/utils/html.py',
    isWritten: isOfDjango,
    members: 'django',
  },
  {
    frameworks: 'ASP.NET Core',
    writes:
      'objects in a form; `application/json`, `text/json` and `application/*+json` for other bodies',
    takes: '`Address.City=Bern`, `Items[0].Name=a`',
    source: 'ASP.NET Core, "Model binding", Collections, Complex types',
    isWritten: (root) =>
      /^NSwag\b/.test(textMember(root, 'x-generator')) ||
      isAnyOperation(root, (operation) => {
        const types = typesOfBody(operation);
        return types.includes('text/json') && types.includes('application/*+json');
      }),
    members: 'dotted',
  },
  {
    frameworks: 'NestJS',
    writes: 'objects and lists in a form with a file',
    takes:
      '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`: one value alone is no list otherwise',
    source: 'multer, lib/make-middleware.js; append-field, README',
    isWritten: (root) => isOfNest(root),
    members: 'brackets',
    lists: true,
  },
  {
    frameworks: 'oRPC',
    writes:
      'objects in a form; `allowEmptyValue` and `allowReserved` for each parameter in a query',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`',
    source: 'oRPC, "Bracket Notation"',
    isWritten: isOfOrpc,
    members: 'brackets',
    lists: true,
    fileLists: true,
  },
  {
    frameworks: 'swagger-php, L5-Swagger, Scramble, Scribe, Nelmio, API Platform',
    writes: 'objects and lists in a form',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`; files as `files[]`',
    source: 'PHP manual, "Variables From External Sources", "Uploading multiple files"',
    isWritten: (root) => isOfPhp(root),
    members: 'brackets',
    lists: true,
    fileLists: true,
  },
  {
    frameworks: 'Rails with rswag, Apipie',
    writes: 'objects and lists in a form',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`; files as `files[]`',
    source:
      'Rails, "Action Controller Overview", Hash and Array Parameters; Rack, lib/rack/query_parser.rb',
    isWritten: isOfRails,
    members: 'brackets',
    lists: true,
    fileLists: true,
  },
] as const satisfies readonly NestedForm[];

export type Reader = Pick<NestedForm, 'fileLists' | 'frameworks' | 'lists' | 'members'>;

/** Who reads what is nested in forms in a way of its own; undefined where nothing tells. */
export const readerOfNested = (root: JsonObject): Reader | undefined => {
  const known = nested.get(root);
  if (known) return known.by;
  const by = NESTED_FORMS.find(({ isWritten }) => isWritten(root));
  nested.set(root, { by });
  return by;
};

/**
 * How objects with files in them are read where nothing tells of others: JSON cannot contain bytes. Spring binds them as
 * beans, others use brackets.
 */
export const readerOfFilesInside = (root: JsonObject): Reader =>
  isOfSpringdoc(root)
    ? { frameworks: 'Spring', members: 'dotted' }
    : { frameworks: 'most', members: 'brackets' };

const nested = new WeakMap<JsonObject, { readonly by: NestedForm | undefined }>();

/** Cache, since every operation with a file asks. */
const readers = new WeakMap<JsonObject, { readonly of: string | undefined }>();
