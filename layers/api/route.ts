import type { HttpReply } from '../platform/http/reply.ts';
import type { RoutedEvent } from '../platform/http/event.ts';
import type { Permission } from '../accounts/rules/permission.ts';
import type { Effect, NeededScope } from '../accounts/rules/token-scopes.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';
import type { User } from '../accounts/rules/user.ts';
import type * as z from 'zod';
import type { BodyReader } from './body.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The places of a path: `'slug'` of `/deployments/{slug}`. */
type PlacesOf<Path extends string> = Path extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesOf<Rest>
  : never;

interface ApiRequest<Path extends string, Query, Body> {
  readonly event: RoutedEvent;
  readonly parameters: Readonly<Record<PlacesOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Names this request; the same for each repetition of it under one `Idempotency-Key`. */
  readonly attempt: string;
}

interface OwnerRequest<Path extends string, Query, Body, Kind extends Effect> extends ApiRequest<
  Path,
  Query,
  Body
> {
  readonly user: User;
  /** Whether it may have the effects that its route names: for whoever causes them. */
  readonly may: Permission<Kind>;
  /** When they signed in; undefined where a personal access token came. */
  readonly signedInAt?: EpochSeconds | undefined;
  /** The only deployments that the request may be about; undefined: all of the user's. */
  readonly slugs?: readonly string[] | undefined;
}

/** What a good answer is: one entry per status. */
export interface DescribedAnswer {
  readonly description: string;
  readonly schema?: z.core.$ZodType;
  /** `application/json` if omitted. */
  readonly mediaType?: string;
  /** Header names to what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route is, for whoever serves it and whoever describes it. */
interface RouteFacts<Path extends string = string, Kind extends Effect = Effect> {
  readonly method: Method;
  /** Below `/v1/mcp-management`, with `{places}`. */
  readonly path: Path;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Not put on the time line of the deployment that it names: it changes nothing of it, or ends it. */
  readonly isUnrecorded?: true;
  /** Honours `Idempotency-Key`. Its answers are stored for a day, so they must hold no secret. */
  readonly idempotent?: true;
  /** Honours `If-Match`. */
  readonly conditional?: true;
  /**
   * What it does, or may do, besides reading and changing what is stored: each needs a scope of its own.
   * Source: docs/decisions/accounts.md, "What a token may cause".
   */
  readonly effects: readonly Kind[];
  /**
   * The scope that a personal access token needs for what it reads and changes. `read` if omitted for a GET, else `all`.
   * Source: docs/decisions/accounts.md, "Personal access tokens".
   */
  readonly forTokens?: NeededScope;
  /** Also for a token that is for some deployments alone, although it names none. */
  readonly forSomeSlugs?: true;
}

interface Inputs<Query extends z.ZodType, Body> {
  /**
   * Of a route that is no GET and names a deployment: which of its requests owners may send although a declaration
   * manages that. Source: docs/declarations.md, "Who manages a server".
   */
  readonly whileManaged?: (body: Body, query: z.output<Query>) => boolean;
  /** Reads the query: an object of texts, or of lists of texts where a name is repeated. */
  readonly query?: Query;
  readonly body?: BodyReader<Body>;
  /** Whether a request has tools made, which takes seconds: few of one user run at once. */
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

/** A route whose inputs are as wide as the frame sees them. */
export type ApiRoute = RouteFacts &
  Inputs<z.ZodType, unknown> & {
    readonly isPublic: boolean;
    /** There is nothing at its path for anybody but operators. */
    readonly isHidden?: true;
    readonly handle: (
      request: ApiRequest<string, unknown, unknown> & {
        readonly user: User | undefined;
        readonly may: Permission<Effect>;
        readonly signedInAt?: EpochSeconds | undefined;
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

/** A route for operators; its user is the one who asks. */
export const operatorRoute = <
  const Path extends string,
  Query extends z.ZodType,
  Body = undefined,
  const Kind extends Effect = never,
>(
  definition: Definition<Path, Query, Body, Kind>,
): ApiRoute => ({ ...ownerRoute(definition), isHidden: true });

/** A route for everybody, which does nothing but answer. */
export const publicRoute = <const Path extends string, Query extends z.ZodType, Body = undefined>(
  definition: PublicDefinition<Path, Query, Body>,
): ApiRoute => ({ ...definition, effects: [], isPublic: true }) as unknown as ApiRoute;
