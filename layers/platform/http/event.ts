/**
 * A request as API Gateway's HTTP API hands it over (payload format 2.0), as far as it is read here.
 * The gateway makes it, not the client, so that its shape is believed: header names are lower-case,
 * repeated headers are joined with a comma.
 */
export interface HttpEvent {
  readonly rawPath: string;
  /** As sent, without the question mark. */
  readonly rawQueryString?: string;
  /** `name=value`, one by one; they are not among the headers. */
  readonly cookies?: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    /** The correlation id. */
    readonly requestId: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

/** An event with room for what the log will say. */
export interface LoggedEvent extends HttpEvent {
  readonly logged: LogFields;
  /** On the clock for durations. */
  readonly arrivedMs: number;
}

/** An event that has found its endpoint. */
export interface RoutedEvent extends LoggedEvent {
  /** The places of the route's path. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What the request's line in the log says; filled in on the way. Only names that we know ourselves. */
interface LogFields {
  route?: string;
  slug?: string;
  /** What a JSON-RPC body spoke: era, version, and the name that the client gives itself. */
  protocol?: object;
  /** What a JSON-RPC body asked for, message by message. */
  rpc?: readonly object[];
}

export const methodOf = (event: HttpEvent): string =>
  event.requestContext.http.method.toUpperCase();
