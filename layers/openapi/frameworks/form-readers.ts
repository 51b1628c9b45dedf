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
  /** So is a list of files. */
  readonly files?: true;
  /** Booleans are 1 and 0. */
  readonly digits?: true;
}

/** Of all operations of a description. */
const isAnyOperation = (
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

/** By the md5 and order of swagger-php, names of Laravel's routes as Scramble has them, Scribe, or Laravel's packages. */
export const isOfPhp = (root: JsonObject): boolean => {
  const known = ofPhp.get(root);
  if (known !== undefined) return known;
  const is =
    isCalled(/^[0-9a-f]{32}$|\w\.(?:destroy|index|store)$/)(root) ||
    isOfScribe(root) ||
    isOfLaravel(root) ||
    isInOrderOfSwaggerPhp(root);
  ofPhp.set(root, is);
  return is;
};

const ORDERS_OF_SWAGGER_PHP: ReadonlySet<string> = new Set([
  'required properties type',
  'required properties',
  'properties type',
  'properties',
]);

const ofPhp = new WeakMap<JsonObject, boolean>();

/**
 * Whether all objects among components and bodies have `required` before `properties`, and these before `type`: nobody
 * else writes them so, by hand or sorted by name.
 * Source: https://github.com/zircote/swagger-php/blob/master/src/Annotations/Schema.php, the order of its members.
 */
const isInOrderOfSwaggerPhp = (root: JsonObject): boolean => {
  const bodies = Object.values(objectMember(root, 'paths'))
    .flatMap((item) => Object.values(objectOf(item)))
    .flatMap((operation) => {
      const body = isObject(operation) ? objectMember(operation, 'requestBody') : {};
      return Object.values(objectMember(body, 'content'));
    })
    .map((media) => objectMember(objectOf(media), 'schema'));
  const components = Object.values(objectMember(objectMember(root, 'components'), 'schemas'));
  const orders = [...components, ...bodies].map((schema) =>
    Object.keys(objectOf(schema))
      .filter((key) => ['properties', 'required', 'type'].includes(key))
      .join(' '),
  );
  const ofObjects = orders.filter((order) => order.includes('properties'));
  return (
    ofObjects.includes('required properties type') &&
    ofObjects.every((order) => ORDERS_OF_SWAGGER_PHP.has(order))
  );
};

/** Its packages for tokens, which name the security schemes. */
const isOfLaravel = (root: JsonObject): boolean => {
  const schemes = objectMember(objectMember(root, 'components'), 'securitySchemes');
  return Object.keys({ ...schemes, ...objectMember(root, 'securityDefinitions') }).some((name) =>
    /^(?:sanctum|passport)$/i.test(name),
  );
};

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
const isOfDjango = (root: JsonObject): boolean =>
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

const METHODS = new Set(['delete', 'get', 'head', 'options', 'patch', 'post', 'put']);
const NAME_OF_GRAPE = /^(?:delete|get|head|options|patch|post|put)[A-Z]/;

/** Its text for each tag where nobody gives one, and names of method and path; that of Swagger's Petstore, which has others beside it, is none. */
export const isOfGrape = (root: JsonObject): boolean => {
  const tags = listMember(root, 'tags').filter(isObject);
  return (
    tags.length > 0 &&
    tags.every((tag) => /^Operations about \S+s$/.test(textMember(tag, 'description'))) &&
    !isAnyOperation(
      root,
      (operation, method) =>
        METHODS.has(method) && !NAME_OF_GRAPE.test(textMember(operation, 'operationId')),
    )
  );
};

/** Swagger 2.0 with the empty `contact` that swaggo always writes, or types of a package of Go: `main.Item`. */
export const isOfSwaggo = (root: JsonObject): boolean => {
  const contact = member(objectMember(root, 'info'), 'contact');
  const isEmpty = isObject(contact) && Object.keys(contact).length === 0;
  return (
    root['swagger'] === '2.0' &&
    (isEmpty ||
      Object.keys(objectMember(root, 'definitions')).some((name) => /^[a-z]\w*\.[A-Z]/.test(name)))
  );
};

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
  },
  {
    frameworks: 'swagger-php, L5-Swagger, Scramble, Scribe',
    writes: 'objects, lists and booleans in a form',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`, `files[]`, `active=1`: no `true`',
    source: 'PHP manual, "Variables From External Sources"; Laravel, "Validation", boolean',
    isWritten: (root) => isOfPhp(root),
    members: 'brackets',
    lists: true,
    files: true,
    digits: true,
  },
  {
    frameworks: 'Grape with grape-swagger',
    writes: 'lists in a form, without a `collectionFormat`',
    takes: '`tags[]=a`, `files[]`',
    source: 'Rack, "Query parsing"; grape-swagger, lib/grape-swagger/doc_methods/parse_params.rb',
    isWritten: isOfGrape,
    members: 'brackets',
    lists: true,
    files: true,
  },
] as const satisfies readonly NestedForm[];

/** Who reads what is nested in forms in a way of its own; undefined where nothing tells. */
export const readerOfNested = (root: JsonObject): NestedForm | undefined => {
  const known = nested.get(root);
  if (known) return known.by;
  const by = NESTED_FORMS.find(({ isWritten }) => isWritten(root));
  nested.set(root, { by });
  return by;
};

/** Frameworks that parse multipart forms of POST alone: with another method, a form is empty and nothing says so. */
export const FORMS_OF_POST = [
  {
    frameworks: 'Laravel, Symfony',
    writes: '`multipart/form-data` for a PUT or PATCH',
    takes: 'POST, with the method in `X-HTTP-Method-Override`',
    source: 'PHP manual, "POST method uploads"; Symfony, HttpFoundation, `Request::getMethod`',
    isWritten: (root) => isOfPhp(root),
  },
] as const satisfies readonly FormReader[];

/** Who reads a multipart form with this method only as a POST; undefined where nothing tells. */
export const readerOfPosts = (root: JsonObject, method: string): string | undefined =>
  method === 'POST'
    ? undefined
    : FORMS_OF_POST.find(({ isWritten }) => isWritten(root))?.frameworks;

/** What a generator writes of lists in queries and forms, whatever the API's router does with them. */
export const LISTS_OF_ROUTERS = [
  {
    frameworks: 'gin, Echo, Fiber with swaggo',
    writes: '`collectionFormat: csv` for each list, unless somebody says otherwise',
    takes: '`ids=1&ids=2`',
    source: 'swaggo, README, "--collectionFormat"; gin, binding/form_mapping.go',
    isWritten: isOfSwaggo,
  },
] as const satisfies readonly FormReader[];

/**
 * Who reads a list that is described as joined by commas under its name repeated; undefined where nothing tells, or the
 * description says `x-collection-format`.
 */
export const readerOfRepeated = (root: JsonObject, parameter: JsonObject): string | undefined =>
  parameter['collectionFormat'] === 'csv' &&
  parameter['x-collection-format'] === undefined &&
  (parameter['in'] === 'query' || parameter['in'] === 'formData')
    ? LISTS_OF_ROUTERS.find(({ isWritten }) => isWritten(root))?.frameworks
    : undefined;

const nested = new WeakMap<JsonObject, { readonly by: NestedForm | undefined }>();

/** Cache, since every operation with a file asks. */
const readers = new WeakMap<JsonObject, { readonly of: string | undefined }>();
