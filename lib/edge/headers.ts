/** What the distribution adds to each request; `layers/platform/http/endpoint.ts` reads the same. */
export const ORIGIN_SECRET_HEADER = 'X-Hosted-Mcp-Origin-Secret';
export const VIEWER_HEADER = 'true-client-ip';

/**
 * Runs in CloudFront before each request leaves: whatever a client has sent under this name is replaced.
 * `CloudFront-Viewer-Address` would say the same, but no policy passes it that passes every header of the
 * client except `Host`.
 *
 * Source: Amazon CloudFront, "Add a true client IP header to a CloudFront Functions viewer request event".
 */
export const VIEWER_FUNCTION = `function handler(event) {
  event.request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  return event.request;
}
`;
