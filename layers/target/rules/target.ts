import type { AwsKeys, ClientCertificate, HmacKey } from './credential.ts';
import type { Network } from './network.ts';

/** One HTTP request to a target API, complete: nothing is added but `Host`, `Content-Length` and the like. */
export interface TargetRequest extends Trust {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * It is signed with these on its way, after everything else, and again for each repetition; it follows no redirect,
   * for which the signature does not hold.
   */
  readonly signature?: AwsKeys | HmacKey;
  /** The connection shows it, which is then used for no request with another one. */
  readonly clientCertificate?: ClientCertificate;
  /** It is signed already, and follows no redirect either. */
  readonly isSigned?: true;
  /** The origins that the credential in it is meant for; absent: it carries none, and may go anywhere. */
  readonly credentialOrigins?: readonly string[];
  /** Name of the private network that it is made in; absent: it goes over the public internet. */
  readonly network?: string;
}

/** Whom requests for one deployment trust: the choice of its owner, which holds for no other deployment. */
export interface Trust {
  /** In PEM; trusted beside the public ones, on connections that are used for no request with others. */
  readonly certificateAuthorities?: readonly string[];
}

/** Of a deployment, for requests that are made for it; nothing where its owner has named no authority. */
export const trustOf = ({ certificateAuthorities }: Trust = {}): Trust =>
  certificateAuthorities && certificateAuthorities.length > 0 ? { certificateAuthorities } : {};

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
  /** Set when redirects were followed: the one that made a GET of the request, else the first. */
  readonly redirected?: {
    readonly status: number;
    /** Of the request that was redirected. */
    readonly method: string;
    /** Where the answer comes from. */
    readonly url: string;
    /** What the request was to change was asked for nowhere else. */
    readonly isGet?: true;
  };
}

/** Why a target gave no answer at all. Goes to clients as `data.reason`. */
export type NoAnswerReason =
  /** It cannot be sent as it is: no valid URL, a header that HTTP forbids, or too large a head. */
  | 'invalid_request'
  | 'blocked_address'
  /** The deployment names a private network that there is not, or not any more. */
  | 'unknown_network'
  /** The function that makes requests in it gave no answer. */
  | 'network_unavailable'
  /** As many requests as its function may make are under way, so that nothing was sent. */
  | 'network_busy'
  /** Refused before it was resolved. */
  | 'host_not_in_network'
  | 'address_not_in_network'
  /** The request, with all that it says. */
  | 'too_large_for_network'
  /** It carries a credential that is not meant for where it would go. */
  | 'credential_not_for_this_host'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_failed'
  /** Any other than those of the certificate. */
  | 'tls_failure'
  /** It has signed itself. */
  | 'certificate_self_signed'
  /** Of an authority that is not known, or without the certificates between them. */
  | 'certificate_of_unknown_authority'
  /** Or not yet valid. */
  | 'certificate_expired'
  | 'certificate_of_another_host'
  /** It wants a certificate of its client, or another one. */
  | 'client_certificate_refused'
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
  readonly loopback?: {
    readonly exceptPorts: readonly number[];
    /** In PEM; trusted besides the public ones. */
    readonly certificateAuthorities?: readonly string[];
  };
  /** The service's own host names and S3 buckets, at which no request may end that somebody asked for. */
  readonly own?: { readonly hosts: readonly string[]; readonly buckets: readonly string[] };
  /** Only the function of a private network has this: hosts of its list at addresses of its ranges, and no others. */
  readonly network?: Network & {
    /** Of its resolvers. */
    readonly exceptAddresses: readonly string[];
  };
}

/** Whether calls to an address would leave this machine without encryption: they are refused. */
export const isUnencrypted = (address: string): boolean =>
  address.startsWith('http:') && !LOOPBACK.test(URL.parse(address)?.hostname ?? '');

/** For APIs beside a local run. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
