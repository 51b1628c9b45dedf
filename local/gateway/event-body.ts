export interface EventBody {
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

const TEXT = /^(?:text\/|application\/(?:json|javascript|xml)(?:;|$))/;

/**
 * What an HTTP API makes of the bytes of a body. Its type alone decides: text types are read as UTF-8,
 * where every byte that is none becomes U+FFFD, packed bodies too; everything else goes as base64, forms,
 * `+json` types and bodies without a type included.
 *
 * Source: measured on AWS by several projects (aws-lambda-web-adapter, serverless-http); no page of
 * AWS tells it whole.
 */
export const eventBody = (bytes: Buffer, contentType = ''): EventBody => {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const isText = TEXT.test(contentType.toLowerCase().replaceAll(' ', ''));
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};
