/**
 * Headers that decide about the connection, the caller or the body, by their lower-case name: never a
 * caller's to set, nor a description's.
 */
const NEVER =
  /^(?:accept|authorization|connection|content-length|content-type|cookie|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|x-forwarded)(?:-.*)?)$/;

/**
 * Those that sign a request to AWS, and those by which AWS traces one.
 *
 * Source: IAM User Guide, "Elements of an AWS API request signature".
 */
const OF_AWS_SIGNATURES =
  /^(?:x-amz-(?:algorithm|content-sha256|credential|date|expires|region-set|security-token|signature|signedheaders)|x-amzn(?:-.*)?)$/;

/** Those by which some servers take another method than that of the request. */
const OF_OTHER_METHODS = /^x-(?:http-method(?:-override)?|method-override)$/;

/** Those of AWS APIs, among them the ones that choose an operation. */
const OF_AWS = /^x-amz-/;

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether no argument may set this header. Lower case. */
export const isProtectedHeader = (name: string): boolean =>
  NEVER.test(name) || OF_AWS_SIGNATURES.test(name) || OF_OTHER_METHODS.test(name);

/** Whether a signature to AWS, and nobody else, says what this header has. Lower case. */
export const isOfSignature = (name: string): boolean => OF_AWS_SIGNATURES.test(name);

/** Whether a value that a description fixes is sent as it is, and no caller is asked for it. Lower case. */
export const isSentByItself = (name: string): boolean => OF_AWS.test(name) && isFixableHeader(name);

/**
 * Whether a description may fix this header to one value, and it is sent although callers may not choose
 * it: `x-amz-target` and its kin, which choose the operation. Lower case.
 */
export const isFixableHeader = (name: string): boolean => TOKEN.test(name) && !NEVER.test(name);

/** Those of the message and of the trace, which are made for each call. */
const OF_ONE_CALL =
  /^(?:accept-encoding|content-encoding|date|http2-settings|range|traceparent|tracestate)$/;

/** Whether an owner may have this header sent with each call. Lower case. */
export const isOwnersHeader = (name: string): boolean =>
  isFixableHeader(name) && !OF_AWS_SIGNATURES.test(name) && !OF_ONE_CALL.test(name);

/** A name that HTTP allows for a header or a cookie. Source: RFC 9110 §5.6.2. */
export const isHeaderName = (name: string): boolean => TOKEN.test(name);

/** No control characters, nothing beyond Latin-1. Source: RFC 9110 §5.5. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
