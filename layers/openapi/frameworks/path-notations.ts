import type { Habit } from './habit.ts';

/** How a router writes path variables that OpenAPI writes as `{name}`. */
export interface PathNotation extends Habit {
  /** Group `name`: the variable's name. Optional group `rest`: constraints that only the router reads. */
  readonly written: RegExp;
  readonly isMulti?: (rest: string) => boolean;
}

/** Name of variables without one, which a description may call `*`. */
export const NAMELESS = 'wildcard';

const ALWAYS = (): boolean => true;

/** Constraint or modifier of path-to-regexp that matches slashes. */
const takesRest = (rest: string): boolean => /^(?:\(\.[*+]\)|[*+]$)/.test(rest);

/** Notations of routers by precedence, of whole segments or invalid in URLs: `/v1/users:batchGet` is no variable. */
export const PATH_NOTATIONS = [
  {
    frameworks: 'Django REST framework',
    writes: '`^users/(?P<pk>[^/.]+)/$`',
    takes: '`/users/{pk}/`',
    source: 'Django, "URL dispatcher", re_path',
    written: /\(\?P?<(?<name>[A-Za-z_]\w*)>(?<rest>(?:[^()]|\([^()]*\))*)\)/g,
  },
  {
    frameworks: 'Bottle',
    writes: '`<id:int>`, `<rest:path>`',
    takes: '`{id}`, or the rest of the path',
    source: 'Bottle, "Dynamic Routes"',
    written:
      /<(?!(?:int|float|string|path|uuid|str):)(?<name>[A-Za-z_]\w*):(?<rest>int|float|path|str|uuid|re(?::[^<>/]*)?)>/g,
    isMulti: (rest) => rest === 'path',
  },
  {
    frameworks: 'Flask, Quart, Django',
    writes: '`<int:id>`, `<path:rest>`',
    takes: '`{id}`, or the rest of the path',
    source: 'Flask, "Variable Rules"; Django, "URL dispatcher"',
    written: /<(?:(?<rest>[A-Za-z_]\w*)(?:\([^()/]*\))?:)?(?<name>[A-Za-z_]\w*)>/g,
    isMulti: (rest) => rest === 'path',
  },
  {
    frameworks: 'Next.js',
    writes: '`/pets/[id]`, `/files/[...path]`, `/files/[[...path]]`',
    takes: '`{id}`, or the rest of the path',
    source: 'Next.js, "Dynamic Route Segments"',
    written: /(?<=\/)\[(?<rest>\[?\.{3})?(?<name>[A-Za-z_]\w*)\]{1,2}(?=\/|$)/g,
    isMulti: (rest) => rest.endsWith('...'),
  },
  {
    frameworks: 'Express, Hono, Fastify, Elysia, Koa, gin, Echo, Fiber, Rails, Sinatra',
    writes: '`/todos/:id`, `/todos/:id(\\d+)?`, `/trains/:from-:to`, `/files/:path*`',
    takes: '`/todos/{id}`, whatever is declared',
    source: 'Express, "Routing", Route parameters; Hono, "Routing", Path Parameter',
    written:
      /(?<=\/@?(?::\w+[-.]){0,8}):(?<name>[A-Za-z_]\w*)(?<rest>(?:\([^()/]*\)|\{[^{}/]*\})?[?*+]?)(?=\/|$|[-.]:|\.\w+$|:)/g,
    isMulti: takesRest,
  },
  {
    frameworks: 'Fastify, Hono, gin, Rails, Express 5, Azure API Management',
    writes: '`/files/*`, `/files/*path`, `/files/{*}`',
    takes: 'the rest of the path',
    source: 'Fastify, "Routes", Url building; @fastify/swagger, formatParamUrl',
    written: /(?<=\/)(?:\*(?<name>[A-Za-z_]\w*)?|\{\*\})$/g,
    isMulti: ALWAYS,
  },
  {
    frameworks: 'NestJS, Koa, path-to-regexp',
    writes: '`/files/{path}*`, `/users/{id}(\\d+)`, `/users/{id}?`',
    takes: '`{id}`, or the rest of the path',
    source: 'path-to-regexp 6, README, "Modifiers", "Custom Matching Parameters"',
    written: /\{(?<name>[A-Za-z_][\w.-]*)\}(?<rest>\([^(){}/]+\)[*+?]?|[*+?])(?=\/|$)/g,
    isMulti: takesRest,
  },
  {
    frameworks: 'Hono with zod-openapi',
    writes: '`/files/{path}{.+}`, `/users/{id{[0-9]+}}`',
    takes: '`{id}`, or the rest of the path',
    source: '@hono/zod-openapi, src/index.ts; Hono, "Routing", Regexp',
    written:
      /\{(?<name>[A-Za-z_]\w*)\}?(?<rest>\{(?:[[(\\]|\.[*+]|\w+\|)(?:[^{}]|\{[\d,]+\})*\})\}?/g,
    isMulti: (rest) => /^\{\.[*+]/.test(rest),
  },
  {
    frameworks: 'path-to-regexp, regular expressions',
    writes: '`/files/(.*)`, `/users/(\\d+)`',
    takes: 'the rest of the path, or one segment',
    source: 'path-to-regexp 6, README, "Unnamed Parameters"',
    written: /(?<=\/)\((?<rest>\.[*+]|\\[dw][*+]?|\[[^[\]()]*\][*+]?)\)(?=\/|$)/g,
    isMulti: (rest) => rest.startsWith('.'),
  },
  {
    frameworks: 'Amazon API Gateway, AWS SAM, Serverless Framework',
    writes: '`/files/{proxy+}`',
    takes: 'the rest of the path, slashes included',
    source: 'Amazon API Gateway developer guide, "Proxy integrations with proxy resources"',
    written: /\{(?<name>[\w.-]+)\+\}/g,
    isMulti: ALWAYS,
  },
  {
    frameworks: 'URI templates, Google APIs, Spring, ASP.NET Core',
    writes: '`{+name}`, `{*name}`, `{**name}`',
    takes: 'several segments, slashes included',
    source: 'RFC 6570 §3.2.3; Spring, PathPattern; ASP.NET Core, "Routing", Catch-all',
    written: /\{(?:\+|\*{1,2})(?<name>[\w.-]+)\}/g,
    isMulti: ALWAYS,
  },
  {
    frameworks: 'URI templates',
    writes: '`{name*}`',
    takes: 'several segments, slashes included',
    source: 'RFC 6570 §2.4.2',
    written: /\{(?<name>[\w.-]+)\*\d*\}/g,
    isMulti: ALWAYS,
  },
  {
    frameworks: 'Amazon API Gateway (HTTP APIs)',
    writes: '`/$default`',
    takes: 'any path that no other route takes',
    source: 'Amazon API Gateway developer guide, "Create routes for HTTP APIs"',
    written: /(?<=^\/)\$default$/g,
    isMulti: ALWAYS,
  },
  {
    frameworks: 'net/http of Go, Ktor',
    writes: '`/files/{path...}`, `/files/{...}`',
    takes: 'the rest of the path',
    source: 'Go, package net/http, "Patterns"; Ktor, "Routing", Tailcard',
    written: /\{(?<name>\w[\w-]*)?\.{3}\}/g,
    isMulti: ALWAYS,
  },
  {
    frameworks: 'Django Ninja, Litestar, Sanic',
    writes: '`{int:id}`, `{path:rest}`',
    takes: '`{id}`, or the rest of the path',
    source: 'Django Ninja, "Path parameters", Django Path Converters',
    written:
      /\{(?<rest>int|str|string|slug|uuid|float|path):(?!(?:int|str|string|slug|uuid|float|path|alpha|bool|datetime|decimal|double|guid|long|regex|required)\})(?<name>[A-Za-z_]\w*)\}/g,
    isMulti: (rest) => rest === 'path',
  },
  {
    frameworks: 'ASP.NET Core, Laravel, Ktor, chi, gorilla/mux, JAX-RS, Google APIs',
    writes:
      '`{id?}`, `{id:int}`, `{id:[0-9]{2}}`, `{id=5}`, `{ id }`, `{name=things/*}`, `{rest:.*}`',
    takes: '`{id}`, or several segments',
    source: 'ASP.NET Core, "Routing", Route constraints; Laravel, "Routing", Optional Parameters',
    written: /\{\s*(?<name>[A-Za-z_][\w.-]*)\s*(?<rest>[?]|[:=](?:[^{}]|\{[^{}]*\})*)?\}/g,
    isMulti: (rest) => /^(?:=.*[*/]|:\s*(?:path|\.[*+])\s*$)/.test(rest),
  },
  // Matched last, because braces of the other notations may contain stars.
  {
    frameworks: 'Spring, Micronaut, Apache Ant',
    writes: '`/files/**`, `/files/*/raw`',
    takes: 'the rest of the path, or one segment',
    source: 'Spring, AntPathMatcher',
    written: /(?<=\/)(?<rest>\*{1,2})(?=\/|$)/g,
    isMulti: (rest) => rest === '**',
  },
] as const satisfies readonly PathNotation[];

/** Removes what calls do not need: `(.:format)` of Rails, `(.json)` of Grape, anchors of Django's patterns. */
export const withoutRouterEnds = (path: string): string => {
  const short = path.replace(/\(\.(?::?\w+|\{\w+\})\)$/, '');
  if (!/\(\?P?</.test(short)) return short;
  return short
    .replace(/^\/?\^?\/?/, '/')
    .replace(/\/?\?{0,2}\$$/, (end) => (end.startsWith('/') ? '/' : ''))
    .replaceAll(/\\([./-])/g, '$1');
};

export interface WrittenPlace {
  readonly name: string | undefined;
  readonly isMulti: boolean;
  /** Pattern after the name, such as `things/*`. */
  readonly form?: string;
  /** Whether its segment may be left out. */
  readonly isOptional?: true;
}

/** Replaces path variables in any router's notation with the result of `filled`, which may be the text as it was. */
export const replacePlaces = (
  path: string,
  filled: (written: string, place: WrittenPlace) => string,
): string =>
  (PATH_NOTATIONS as readonly PathNotation[]).reduce(
    (text, { written, isMulti }) =>
      text.replaceAll(written, (...found: unknown[]) => {
        const groups = found.at(-1) as Partial<Record<'name' | 'rest', string>> | undefined;
        const { name, rest = '' } = typeof groups === 'object' ? groups : {};
        const form = rest.startsWith('=') && rest.includes('*') ? { form: rest.slice(1) } : {};
        const optional = rest.endsWith('?') ? ({ isOptional: true } as const) : {};
        const place = { name, isMulti: isMulti?.(rest) ?? false, ...form, ...optional };
        return filled(String(found[0]), place);
      }),
    path,
  );
