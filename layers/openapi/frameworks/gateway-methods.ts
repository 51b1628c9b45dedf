import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Warnings } from '../intake/findings.ts';
import type { Habit } from './habit.ts';

/** Keys and methods that API gateways add to a path. */
export const GATEWAY_METHODS = {
  any: {
    frameworks: 'Amazon API Gateway, AWS SAM, Serverless Framework',
    writes: '`x-amazon-apigateway-any-method`',
    takes: 'every method; `GET` is taken, or those that `x-methods` in it lists',
    source: 'Amazon API Gateway developer guide, "x-amazon-apigateway-any-method object"',
  },
  preflight: {
    frameworks: 'Amazon API Gateway, AWS SAM, Serverless Framework',
    writes: '`OPTIONS` with an integration of type `mock`, or with `Access-Control-Allow-Methods`',
    takes: 'what browsers ask before cross-origin calls: no operation',
    source:
      'Amazon API Gateway developer guide, "CORS for REST APIs"; Fetch, "CORS-preflight request"',
  },
  stage: {
    frameworks: 'Amazon API Gateway (HTTP APIs)',
    writes: '`$default` as the stage of an address',
    takes: 'calls without a stage',
    source: 'Amazon API Gateway developer guide, "Stages for HTTP APIs"',
  },
} as const satisfies Readonly<Record<string, Habit>>;

/** URL of an API Gateway without the stage `$default`, which no URL contains. */
export const withoutStage = (address: string): string =>
  address.replace(/(\.amazonaws\.com)\/\$default(?=\/|$)/, '$1');

const ANY = 'x-amazon-apigateway-any-method';
const INTEGRATION = 'x-amazon-apigateway-integration';

/** Replaces what gateways write in path items with OpenAPI's methods. */
export const gatewayMethods = (methods: ReadonlySet<string>, warnings: Warnings) => {
  let preflights = 0;
  return {
    /** Path item with OpenAPI's methods; the same object where nothing is a gateway's. */
    read: (item: JsonObject, path: string): JsonObject => {
      const any = member(item, ANY);
      const options = member(item, 'options');
      const isPreflight = isObject(options) && answersBrowsers(options);
      if (!isObject(any) && !isPreflight) return item;
      const { [ANY]: _, options: __, ...others } = item;
      if (isPreflight) preflights += 1;
      const own = isPreflight || options === undefined ? others : { ...others, options };
      if (!isObject(any)) return own;
      const { meant, named } = methodsOf(any, own, methods);
      const what =
        named === undefined
          ? `ANY of API Gateway stands for every method; read as ${meant.length > 0 ? 'GET' : 'those that are listed beside it'}`
          : `ANY of API Gateway stands for every method; read as ${named.join(', ')}`;
      warnings.add(
        pointerTo('paths', path, ANY),
        what,
        'List the methods that it takes in it, for instance by an overlay: `x-methods: [GET, POST]`.',
      );
      const { 'x-methods': ___, isDefaultRoute: ____, ...operation } = any;
      return { ...own, ...Object.fromEntries(meant.map((method) => [method, operation])) };
    },
    end: (): void => {
      if (preflights === 0) return;
      const what = `OPTIONS of ${preflights} paths is what browsers ask before cross-origin calls; no tools are made of it`;
      warnings.add('/paths', what, 'Nothing needs to be done.');
    },
  };
};

const methodsOf = (
  any: JsonObject,
  item: JsonObject,
  methods: ReadonlySet<string>,
): { readonly meant: readonly string[]; readonly named: readonly string[] | undefined } => {
  const named = listMember(any, 'x-methods').filter(
    (name: Json): name is string => typeof name === 'string' && methods.has(name.toLowerCase()),
  );
  const isFree = (method: string): boolean => !Object.hasOwn(item, method);
  return named.length > 0
    ? { meant: named.map((name) => name.toLowerCase()).filter(isFree), named }
    : { meant: ['get'].filter(isFree), named: undefined };
};

const answersBrowsers = (options: JsonObject): boolean => {
  const integration = member(options, INTEGRATION);
  const type = isObject(integration) ? member(integration, 'type') : undefined;
  if (typeof type === 'string') return type.toLowerCase() === 'mock';
  return Object.values(objectMember(options, 'responses')).some((response) => {
    return Object.keys(objectMember(objectOf(response), 'headers')).some(
      (name) => name.toLowerCase() === 'access-control-allow-methods',
    );
  });
};
