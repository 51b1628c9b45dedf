/** One HTTP request to a target API, complete: nothing is added but `Host`, `Content-Length` and the like. */
export interface TargetRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The origins that the credential in it is meant for; absent: it carries none, and may go anywhere. */
  readonly credentialOrigins?: readonly string[];
}

/** No server takes more, and none should be asked to. Bytes of path, query and headers. */
export const MAX_REQUEST_HEAD_BYTES = 65_536;

export interface TargetAnswer {
  readonly status: number;
  /** Lower-case names; several values of one name joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content-decoded, at most the limit's bytes. */
  readonly body: Uint8Array;
  /** Set when there was more than was read. Its numbers are there only if the target said so. */
  readonly cut?: {
    /** Absent: it was too long. `time`: it was not finished when its time was over. `connection`: that broke. */
    readonly by?: 'time' | 'connection';
    readonly totalBytes?: number;
    /** That were not read. */
    readonly missingBytes?: number;
  };
}

/** Why a target gave no answer at all. Goes to clients as `data.reason`. */
export type NoAnswerReason =
  /** It cannot be sent as it is: no valid URL, a header that HTTP forbids, or too large a head. */
  | 'invalid_request'
  | 'blocked_address'
  /** It carries a credential that is not meant for where it would go. */
  | 'credential_not_for_this_host'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failure'
  | 'timeout'
  /** Of the function itself, so that nothing was sent. */
  | 'no_time_left'
  | 'redirect_refused'
  | 'invalid_response'
  /** Only of documents, of which half is of no use. */
  | 'too_large';

/** What the outgoing client throws when nobody answered. `reason` may be shown to clients; the message goes to the log. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Where outgoing requests may go besides public addresses over https, and where they may not. */
export interface TargetPolicy {
  /** Only the local run passes this: http and loopback addresses, but never these ports (its own AWS endpoints). */
  readonly loopback?: { readonly exceptPorts: readonly number[] };
  /** The service's own host names and S3 buckets, at which no request may end that somebody asked for. */
  readonly own?: { readonly hosts: readonly string[]; readonly buckets: readonly string[] };
}

/** Whether calls to an address would leave this machine without encryption: they are refused. */
export const isUnencrypted = (address: string): boolean =>
  address.startsWith('http:') && !LOOPBACK.test(URL.parse(address)?.hostname ?? '');

/** For APIs beside a local run. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
