import type { JsonObject } from '../../platform/rules/json/json.ts';
import { isOmittedInExample } from './fingerprints.ts';
import type { Habit } from './habit.ts';

/** How frameworks write that a place at the end of a path may be left out, which OpenAPI does not know. */
export const OMISSIBLE_ENDS = [
  {
    frameworks: 'Fastify, ASP.NET Core, Laravel, Express',
    writes: '`/users/{id}/{sub?}`, or `required: false` of a parameter in a path',
    takes: '`/users/1` and `/users/1/a`',
    source: 'Fastify, "Routes", Url building; ASP.NET Core, "Routing", Route templates',
    isWritten: (parameter) => parameter['required'] === false,
  },
  {
    frameworks: 'hapi',
    writes: 'no `required` of a parameter in a path where another has it',
    takes: '`/users/1` and `/users/1/a`',
    source: 'hapi, "Path parameters", Optional; hapi-swagger, lib/parameters.js',
    isWritten: (parameter, others) =>
      parameter['required'] === undefined && others.some((one) => one['required'] === true),
  },
  {
    frameworks: 'Scribe',
    writes: 'an example `omitted`',
    takes: '`/users` and `/users/1`',
    source: 'Scribe, src/Writing/OpenApiSpecGenerators/BaseGenerator.php, `pathParameters`',
    isWritten: isOmittedInExample,
  },
] as const satisfies readonly (Habit & {
  /** @param others - of the same path */
  readonly isWritten: (parameter: JsonObject, others: readonly JsonObject[]) => boolean;
})[];

export const isOmissible = (parameter: JsonObject, others: readonly JsonObject[]): boolean =>
  OMISSIBLE_ENDS.some(({ isWritten }) => isWritten(parameter, others));
