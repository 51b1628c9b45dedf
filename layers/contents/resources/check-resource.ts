import type { Resource } from '../rules/contents.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { hasReplyPartScheme, REPLY_PART_SCHEME } from '../../tools/answer/result-continuation.ts';
import { isTemplate, namesOf, parseUriTemplate } from './uri-template.ts';

/** An absolute URI, scheme first. Source: RFC 3986 §2, §3.1. */
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-fA-F]{2})+$/;
/** Replaces variables while the rest of a URI template is checked. */
const FILLED = 'x';
/** Source: RFC 6838 §4.2; parameters behind it are kept as they are. */
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;[\x20-\x7e]*)?$/;

/**
 * @throws ApiRefusal invalid_request with all findings; limit_reached for too much content
 * Source: docs/protocol.md, "Resources".
 */
export const checkResource = (resource: Resource, maxBytes: number): void => {
  const findings = [
    ...uriFindings(resource.uri),
    ...typeFindings(resource),
    ...variableFindings(resource),
  ];
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'The resource cannot be kept as it is.', findings);
  }
  if (Buffer.byteLength(resource.content) > maxBytes) {
    const limit = 'resource_max_bytes';
    const hint = 'Shorten it, or divide it into several resources.';
    throw new ApiRefusal(
      'limit_reached',
      `The content is larger than ${maxBytes} bytes (limit ${limit}).`,
      [{ where: '/content', what: 'too large', hint }],
      limit,
      { limit },
    );
  }
};

const uriFindings = (uri: string): readonly Finding[] => {
  const where = '/uri';
  const parts = isTemplate(uri) ? parseUriTemplate(uri) : undefined;
  if (isTemplate(uri) && !parts) {
    return [
      {
        where,
        what: 'a template of a form that requests cannot be matched with',
        hint: 'Use {a}, {+a}, {#a}, {/a,b}, {?a,b} or {&a,b}, each variable once, with text between two of the first kind.',
      },
    ];
  }
  const [scheme] = parts ?? [];
  if (scheme && !(scheme.kind === 'text' && scheme.text.includes(':'))) {
    return [{ where, what: 'without a scheme', hint: 'Begin with a scheme such as docs:// .' }];
  }
  if (hasReplyPartScheme(uri)) {
    return [
      {
        where,
        what: `of the scheme ${REPLY_PART_SCHEME}, which is the service's own`,
        hint: 'Begin with another scheme, such as docs:// .',
      },
    ];
  }
  if (URI.test(parts ? uri.replace(/\{[^{}]*\}/g, FILLED) : uri)) return [];
  return [
    {
      where,
      what: 'not an absolute URI',
      hint: 'Begin with a scheme such as docs:// and percent-encode what URIs do not allow.',
    },
  ];
};

const typeFindings = ({ mimeType, encoding, content }: Resource): readonly Finding[] => [
  ...(mimeType !== undefined && !MIME_TYPE.test(mimeType)
    ? [{ where: '/mime_type', what: 'not a media type', hint: 'Write it like text/markdown.' }]
    : []),
  ...(encoding === 'base64' && !isBase64(content)
    ? [
        {
          where: '/content',
          what: 'not base64',
          hint: 'Encode it with the standard alphabet and padding, without line breaks.',
        },
      ]
    : []),
];

const variableFindings = ({ uri, variables = [] }: Resource): readonly Finding[] => {
  const known = new Set(isTemplate(uri) ? parseUriTemplate(uri)?.flatMap(namesOf) : []);
  return variables.flatMap(({ name }, index) => {
    const where = `/variables/${index}/name`;
    if (!known.has(name)) {
      const hint = 'Name a variable of the uri, or leave it out.';
      return [{ where, what: 'no variable of the uri', hint }];
    }
    if (variables.findIndex((one) => one.name === name) === index) return [];
    return [{ where, what: 'named before', hint: 'Give all values of a variable at once.' }];
  });
};

/** Clients get the text as it is, so only standard base64 is accepted. Source: RFC 4648 §4. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;
