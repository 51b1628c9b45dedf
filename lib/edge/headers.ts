/** Header that the distribution adds to each request; `layers/platform/http/endpoint.ts` reads the same. */
export const ORIGIN_SECRET_HEADER = 'X-Hosted-Mcp-Origin-Secret';
export const VIEWER_HEADER = 'true-client-ip';

/**
 * CloudFront function that sets the client's address, whatever the client sent. No origin request policy passes
 * `CloudFront-Viewer-Address` together with every client header except `Host`. Source: Amazon CloudFront, "Add a true
 * client IP header to a CloudFront Functions viewer request event".
 */
export const VIEWER_FUNCTION = `function handler(event) {
  event.request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  return event.request;
}
`;
