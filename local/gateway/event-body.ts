export interface EventBody {
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

const TEXT = /^(?:text\/|application\/(?:json|javascript|xml)(?:;|$))/;

/**
 * Body of the event that an HTTP API makes of a request's bytes. Only the media type decides: text types are read
 * as UTF-8, where invalid bytes become U+FFFD, also in compressed bodies. Everything else becomes base64, even
 * forms, `+json` types and bodies without a type.
 * Source: measured on AWS by several projects (aws-lambda-web-adapter, serverless-http); no page of AWS describes
 * all of it.
 */
export const eventBody = (bytes: Buffer, contentType = ''): EventBody => {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const isText = TEXT.test(contentType.toLowerCase().replaceAll(' ', ''));
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};
