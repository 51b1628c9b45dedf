import type { paths } from './openapi.ts';

type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

/** Method and path of each operation that the management API describes, as `GET /deployments/{slug}`. */
export type Operation = {
  [Path in keyof paths]: {
    [Verb in Method]: paths[Path][Lowercase<Verb>] extends object ? `${Verb} ${Path}` : never;
  }[Method];
}[keyof paths];

type Described<Id extends Operation> = Id extends `${infer Verb extends Method} ${infer Path}`
  ? Path extends keyof paths
    ? paths[Path][Lowercase<Verb>]
    : never
  : never;

/** Text if the answer is not JSON; undefined if it has no content. */
export type AnswerOf<Id extends Operation> =
  Described<Id> extends { readonly responses: infer Responses }
    ? {
        [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204
          ? ContentOf<Responses[Status], string>
          : never;
      }[keyof Responses]
    : never;

export type BodyOf<Id extends Operation> =
  Described<Id> extends { readonly requestBody?: infer Body }
    ? ContentOf<Body, undefined>
    : undefined;

type ContentOf<Message, Otherwise> = Message extends { readonly content: infer Content }
  ? Content extends { readonly 'application/json': infer Json }
    ? Json
    : Otherwise
  : undefined;

export type PathOf<Id extends Operation> = ParametersOf<Id, 'path'>;
export type QueryOf<Id extends Operation> = ParametersOf<Id, 'query'>;

export type IsConditional<Id extends Operation> =
  ParametersOf<Id, 'header'> extends { readonly 'If-Match'?: string } ? true : false;

type ParametersOf<Id extends Operation, Place extends 'header' | 'path' | 'query'> =
  Described<Id> extends { readonly parameters: { readonly [Key in Place]?: infer Given } }
    ? [Given] extends [never]
      ? undefined
      : Given
    : undefined;

export type ListOperation = {
  [Id in Operation]: AnswerOf<Id> extends { readonly items: readonly unknown[] } ? Id : never;
}[Operation];

export type ItemOf<Id extends ListOperation> =
  AnswerOf<Id> extends { readonly items: readonly (infer Item)[] } ? Item : never;
