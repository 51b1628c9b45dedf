import type { HttpReply } from '../platform/http/reply.ts';
import type { RoutedEvent } from '../platform/http/event.ts';
import type { Permission } from '../accounts/rules/permission.ts';
import type { Effect, NeededScope } from '../accounts/rules/token-scopes.ts';
import type { SessionTimes } from '../accounts/steps/require-session.ts';
import type { User } from '../accounts/rules/user.ts';
import type * as z from 'zod';
import type { BodyReader } from './body.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Names of a path's parameters: `'slug'` of `/deployments/{slug}`. */
type PlacesOf<Path extends string> = Path extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesOf<Rest>
  : never;

interface ApiRequest<Path extends string, Query, Body> {
  readonly event: RoutedEvent;
  readonly parameters: Readonly<Record<PlacesOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Id of the request, the same for repetitions with one `Idempotency-Key`. */
  readonly attempt: string;
}

interface OwnerRequest<Path extends string, Query, Body, Kind extends Effect> extends ApiRequest<
  Path,
  Query,
  Body
> {
  readonly user: User;
  /** Checks whether the caller may cause an effect. */
  readonly may: Permission<Kind>;
  /** Undefined with a personal access token. */
  readonly session?: SessionTimes | undefined;
  /** Deployments that the token is limited to; undefined: all of the user's. */
  readonly slugs?: readonly string[] | undefined;
}

export interface DescribedAnswer {
  readonly description: string;
  readonly schema?: z.core.$ZodType;
  /** `application/json` by default. */
  readonly mediaType?: string;
  /** Descriptions of headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteFacts<Path extends string = string, Kind extends Effect = Effect> {
  readonly method: Method;
  /** Below `/v1/mcp-management`, with `{parameters}`. */
  readonly path: Path;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Left out of the deployment's time line: the route changes nothing of it, or deletes it. */
  readonly isUnrecorded?: true;
  /** Supports `Idempotency-Key`. Answers are stored for a day, so they must hold no secret. */
  readonly idempotent?: true;
  /** Supports `If-Match`. */
  readonly conditional?: true;
  /**
   * Effects beyond reading and writing stored data; each needs a scope. Source: docs/decisions/accounts.md, "What a
   * token may cause".
   */
  readonly effects: readonly Kind[];
  /**
   * Scope that a personal access token needs; by default `read` for GET, else `all`. Source:
   * docs/decisions/accounts.md, "Personal access tokens".
   */
  readonly forTokens?: NeededScope;
  /** Allowed for a token of some deployments, although the path names none. */
  readonly forSomeSlugs?: true;
}

interface Inputs<Query extends z.ZodType, Body> {
  /**
   * Requests that owners may send although a declaration manages the deployment. Source: docs/declarations.md, "Who
   * manages a server".
   */
  readonly whileManaged?: (body: Body, query: z.output<Query>) => boolean;
  /** Reads the query: texts by name, or lists of texts for repeated names. */
  readonly query?: Query;
  readonly body?: BodyReader<Body>;
  /** Whether the request compiles tools, which takes seconds: a user may run only few at a time. */
  readonly compiles?: (body: Body) => boolean;
}

export type Definition<
  Path extends string,
  Query extends z.ZodType,
  Body,
  Kind extends Effect,
> = RouteFacts<Path, Kind> &
  Inputs<Query, Body> & {
    readonly handle: (
      request: OwnerRequest<Path, z.output<Query>, Body, NoInfer<Kind>>,
    ) => Promise<HttpReply> | HttpReply;
  };

export type PublicDefinition<Path extends string, Query extends z.ZodType, Body> = Omit<
  RouteFacts<Path>,
  'effects' | 'forTokens'
> &
  Inputs<Query, Body> & {
    readonly handle: (
      request: ApiRequest<Path, z.output<Query>, Body>,
    ) => Promise<HttpReply> | HttpReply;
  };

/** A route with its types widened for the frame. */
export type ApiRoute = RouteFacts &
  Inputs<z.ZodType, unknown> & {
    readonly isPublic: boolean;
    /** Only operators see that the path exists. */
    readonly isHidden?: true;
    readonly handle: (
      request: ApiRequest<string, unknown, unknown> & {
        readonly user: User | undefined;
        readonly may: Permission<Effect>;
        readonly session?: SessionTimes | undefined;
        readonly slugs?: readonly string[] | undefined;
      },
    ) => Promise<HttpReply> | HttpReply;
  };

export const ownerRoute = <
  const Path extends string,
  Query extends z.ZodType,
  Body = undefined,
  const Kind extends Effect = never,
>(
  definition: Definition<Path, Query, Body, Kind>,
): ApiRoute => ({ ...definition, isPublic: false }) as unknown as ApiRoute;

/** A route for operators, whose `user` is the operator. */
export const operatorRoute = <
  const Path extends string,
  Query extends z.ZodType,
  Body = undefined,
  const Kind extends Effect = never,
>(
  definition: Definition<Path, Query, Body, Kind>,
): ApiRoute => ({ ...ownerRoute(definition), isHidden: true });

/** A route without authentication or effects. */
export const publicRoute = <const Path extends string, Query extends z.ZodType, Body = undefined>(
  definition: PublicDefinition<Path, Query, Body>,
): ApiRoute => ({ ...definition, effects: [], isPublic: true }) as unknown as ApiRoute;
