import { isObject, type JsonObject, member, textMember } from '../../platform/rules/json/json.ts';
import { listMember, objectMember, objectOf } from '../../platform/rules/json/members.ts';

/** Reads an entire description once, for all parameters and bodies in it. */
export const remembered = <T>(read: (root: JsonObject) => T): ((root: JsonObject) => T) => {
  const known = new WeakMap<JsonObject, { readonly found: T }>();
  return (root) => {
    const result = known.get(root) ?? { found: read(root) };
    known.set(root, result);
    return result.found;
  };
};

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

/** operationIds that NestJS generates from controller and method. */
const OF_CONTROLLER = /^[A-Z][A-Za-z0-9]*Controller_\w/;

export const isOfNest = isCalled(OF_CONTROLLER);

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

const afterMethod = (operation: JsonObject, method: string): string => {
  const id = textMember(operation, 'operationId');
  return id.startsWith(method) ? id.slice(method.length) : '';
};

/** By API Platform's names, or those of Nelmio: each the method and a route, some of Symfony's controllers. */
const isOfSymfony = (root: JsonObject): boolean =>
  isCalled(/^api_\w+_get_collection$/)(root) ||
  (isAnyOperation(
    root,
    (operation, method, path) =>
      // Names made of method and path have it from there.
      !path.startsWith('/app/') && /^_app_[a-z]+_\w+$/.test(afterMethod(operation, method)),
  ) &&
    !isAnyOperation(root, (operation, method) => {
      const id = textMember(operation, 'operationId');
      return id !== '' && !id.startsWith(`${method}_`);
    }));

/**
 * By the md5 and order of swagger-php, names of Laravel's routes as Scramble has them, Scribe, Laravel's packages, or
 * names of Symfony.
 */
export const isOfPhp = remembered(
  (root) =>
    isCalled(/^[0-9a-f]{32}$|\w\.(?:destroy|index|store)$/)(root) ||
    isOfScribe(root) ||
    isOfLaravel(root) ||
    isOfSymfony(root) ||
    isInOrderOfSwaggerPhp(root),
);

const ORDERS_OF_SWAGGER_PHP: ReadonlySet<string> = new Set([
  'required properties type',
  'required properties',
  'properties type',
  'properties',
]);

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

/** By the variable of rswag's template for an address, or the id that Apipie computes. */
export const isOfRails = (root: JsonObject): boolean =>
  member(objectMember(root, 'info'), 'x-computed-id') !== undefined ||
  listMember(root, 'servers').some(
    (one) => isObject(one) && textMember(one, 'url').includes('{defaultHost}'),
  );

export const typesOfBody = (operation: JsonObject): readonly string[] =>
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
export const isOfOrpc = (root: JsonObject): boolean =>
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

/**
 * By its text for each tag where nobody gives one, and by names made of method and path: Swagger's Petstore has such a
 * text among others.
 */
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

/**
 * Swagger 2.0 with the `contact` that swaggo always writes: an empty one, or beside it types of a package of Go, such
 * as `main.Item`, which go-restful and Kubernetes have too.
 */
export const isOfSwaggo = remembered((root) => {
  const contact = member(objectMember(root, 'info'), 'contact');
  if (root['swagger'] !== '2.0' || !isObject(contact)) return false;
  return (
    Object.keys(contact).length === 0 ||
    Object.keys(objectMember(root, 'definitions')).some((name) => /^[a-z]\w*\.[A-Z]/.test(name))
  );
});
