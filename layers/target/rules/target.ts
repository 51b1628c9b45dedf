import type { AwsKeys, ClientCertificate, HmacKey } from './credential.ts';
import type { Network } from './network.ts';

/** A complete HTTP request to a target API: the client adds only `Host`, `Content-Length` and the like. */
export interface TargetRequest extends Trust {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of several lines, none of them among `headers`. Lower-case names. */
  readonly headerLines?: HeaderLines;
  readonly body?: string | Uint8Array;
  /**
   * Keys that sign the finished request, again for each repetition. A signed request follows no redirect, for which
   * its signature would be wrong.
   */
  readonly signature?: AwsKeys | HmacKey;
  /** Shown on TLS connections, which requests with another certificate never share. */
  readonly clientCertificate?: ClientCertificate;
  /** Signed already: it follows no redirect. */
  readonly isSigned?: true;
  /** Origins that its credential may go to; absent: it carries none. */
  readonly credentialOrigins?: readonly string[];
  /** Private network of the API; absent: public internet. */
  readonly network?: string;
}

export type HeaderLines = Readonly<Record<string, readonly string[]>>;

/** Authorities that the owner of a deployment trusts, for this deployment only. */
export interface Trust {
  /** PEM; trusted in addition to public ones, on connections of their own. */
  readonly certificateAuthorities?: readonly string[];
}

export const trustOf = ({ certificateAuthorities }: Trust = {}): Trust =>
  certificateAuthorities && certificateAuthorities.length > 0 ? { certificateAuthorities } : {};

/** Methods that change nothing. Source: RFC 9110 §9.2.1; OpenAPI 3.2.0, "Path Item Object", `query`. */
export const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE']);

/** Methods that may be repeated. Source: RFC 9110 §9.2.2. */
export const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/** Limit for path, query and headers in bytes: more than any server takes. */
export const MAX_REQUEST_HEAD_BYTES = 65_536;

/** Whether the head of a request has more than the limit. Each of several lines has its name again. */
export const isHeadTooLarge = ({
  url,
  headers,
  headerLines = {},
}: Pick<TargetRequest, 'headerLines' | 'headers' | 'url'>): boolean => {
  let left = MAX_REQUEST_HEAD_BYTES - url.length;
  for (const [name, value] of [...Object.entries(headers), ...Object.entries(headerLines)]) {
    for (const line of [value].flat()) left -= name.length + line.length;
  }
  return left < 0;
};

export interface TargetAnswer {
  readonly status: number;
  /** Lower-case names; several values of one name are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded, and cut at the limit. */
  readonly body: Uint8Array;
  /** Set if the body is incomplete. The numbers are set if the target sent a length. */
  readonly cut?: {
    /** Absent: too long. `time`: not finished in time. `connection`: the connection broke. */
    readonly by?: 'time' | 'connection';
    readonly totalBytes?: number;
    readonly missingBytes?: number;
  };
  /** Set if redirects were followed: the one that made the request a GET, else the last. */
  readonly redirected?: {
    readonly status: number;
    /** Of the original request. */
    readonly method: string;
    /** Address of the answer. */
    readonly url: string;
    /** Set if the request became a GET, so that its change was not carried out. */
    readonly isGet?: true;
  };
}

/** Why a target gave no answer. Clients see it as `data.reason`. */
export type NoAnswerReason =
  /** Malformed URL, forbidden header, or too large a head. */
  | 'invalid_request'
  | 'blocked_address'
  /** The deployment's private network does not exist any more. */
  | 'unknown_network'
  /** The function in the network did not answer. */
  | 'network_unavailable'
  /** The function in the network has no free concurrency; nothing was sent. */
  | 'network_busy'
  /** Refused before name resolution. */
  | 'host_not_in_network'
  | 'address_not_in_network'
  /** The request does not fit into a payload of the function in the network. */
  | 'too_large_for_network'
  | 'credential_not_for_this_host'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_failed'
  /** TLS failures other than those of a certificate. */
  | 'tls_failure'
  | 'certificate_self_signed'
  /** Unknown authority, or intermediate certificates are missing. */
  | 'certificate_of_unknown_authority'
  /** Or not yet valid. */
  | 'certificate_expired'
  | 'certificate_of_another_host'
  /** The target requires a client certificate, or another one. */
  | 'client_certificate_refused'
  | 'timeout'
  /** Of the invocation; nothing was sent. */
  | 'no_time_left'
  | 'redirect_refused'
  | 'invalid_response'
  /** Only of documents, of which half is useless. */
  | 'too_large';

/** There was no answer. `reason` may be shown to clients; the message goes to the log. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Exceptions from the rule that requests go to public addresses over https. */
export interface TargetPolicy {
  /** Local run only: allows http and loopback, except for these ports (the run's AWS endpoints). */
  readonly loopback?: {
    readonly exceptPorts: readonly number[];
    /** PEM; trusted in addition to public ones. */
    readonly certificateAuthorities?: readonly string[];
  };
  /** Hosts and S3 buckets of the service itself, which no requested call may reach. */
  readonly own?: { readonly hosts: readonly string[]; readonly buckets: readonly string[] };
  /** Only in the function of a private network: allows exactly its hosts at addresses of its ranges. */
  readonly network?: Network & {
    /** Addresses of the network's resolvers. */
    readonly exceptAddresses: readonly string[];
  };
}

/** Whether a request would leave this machine unencrypted, which is refused. */
export const isUnencrypted = (address: string): boolean =>
  address.startsWith('http:') && !LOOPBACK.test(URL.parse(address)?.hostname ?? '');

/** For APIs beside a local run. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
