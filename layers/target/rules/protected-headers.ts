/** Lower-case headers about connection, caller or body, which neither callers nor descriptions may set. */
const NEVER =
  /^(?:accept|authorization|connection|content-length|content-type|cookie|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|x-forwarded)(?:-.*)?)$/;

/** Headers of AWS signatures and traces. Source: IAM User Guide, "Elements of an AWS API request signature". */
const OF_AWS_SIGNATURES =
  /^(?:x-amz-(?:algorithm|content-sha256|credential|date|expires|region-set|security-token|signature|signedheaders)|x-amzn(?:-.*)?)$/;

/** Headers by which some servers replace the request's method. */
const OF_OTHER_METHODS = /^x-(?:http-method(?:-override)?|method-override)$/;

/** Names the method of a request that is sent as a POST. Source: Symfony, HttpFoundation, `Request::getMethod`. */
export const METHOD_OVERRIDE = 'x-http-method-override';

/** Headers of AWS APIs; some choose the operation. */
const OF_AWS = /^x-amz-/;

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether no argument may set this lower-case header. */
export const isProtectedHeader = (name: string): boolean =>
  NEVER.test(name) ||
  OF_AWS_SIGNATURES.test(name) ||
  // CGI reads `_` for `-` (RFC 3875 §4.1.18).
  OF_OTHER_METHODS.test(name.replaceAll('_', '-'));

/** Whether only the AWS signer may set this lower-case header. */
export const isOfSignature = (name: string): boolean => OF_AWS_SIGNATURES.test(name);

/** Whether a value fixed by the description is sent without asking callers. Lower case. */
export const isSentByItself = (name: string): boolean => OF_AWS.test(name) && isFixableHeader(name);

/**
 * Whether a description may fix this lower-case header to one value although callers may not set it: `x-amz-target`
 * and the like, which choose the operation.
 */
export const isFixableHeader = (name: string): boolean => TOKEN.test(name) && !NEVER.test(name);

/** Headers that the service makes for each call. */
const OF_ONE_CALL =
  /^(?:accept-encoding|content-encoding|date|http2-settings|range|traceparent|tracestate)$/;

/** Whether an owner may have this lower-case header sent with every call. */
export const isOwnersHeader = (name: string): boolean =>
  isFixableHeader(name) && !OF_AWS_SIGNATURES.test(name) && !OF_ONE_CALL.test(name);

/** Valid as the name of a header or cookie. Source: RFC 9110 §5.6.2. */
export const isHeaderName = (name: string): boolean => TOKEN.test(name);

/** No control characters, nothing beyond Latin-1. Source: RFC 9110 §5.5. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
