import { isHeaderName, isHeaderValue } from '../../target/rules/protected-headers.ts';
import type { PropertyEncoding } from '../../openapi/tool-index.ts';
import { isJsonType } from './accept.ts';
import { type BodyProperty, sentAs } from './body-properties.ts';
import { looksLikeFile, readFile } from './file-argument.ts';
import { type Encodings, encodingOf, writtenAs } from './form-body.ts';
import { jsonText } from '../../platform/rules/json/json.ts';
import { rejectReserved, type Reserved } from './reserved-names.ts';
import type { Part } from './multipart-body.ts';
import { parameterPairs, textOf } from './parameter-pairs.ts';
import { asIs } from './percent-encode.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import { isFile, itemShape, type Shape } from '../arguments/shape.ts';

/**
 * The parts of a `multipart/form-data` body: one for each property, one for each item of a list. Files
 * carry their name and type, objects are JSON, and an encoding's content type wins.
 *
 * @throws RpcRefusal for a file that cannot be read
 * Source: OpenAPI 3.1.1, "Encoding multipart Media Types"; RFC 7578 §4.3.
 */
export const multipartParts = (
  tool: Reserved & Pick<PreparedTool, 'shapes'>,
  properties: readonly BodyProperty[],
  encodings: Encodings,
): readonly Part[] =>
  properties.flatMap((property): readonly Part[] => {
    const encoding = encodingOf(encodings, property.name);
    const headers = headersOf(encoding);
    const { name, value, keys, shape } = property;
    const written = writtenAs(encoding);
    if (written) {
      const pairs = parameterPairs(name, value, written, asIs);
      rejectReserved(tool, 'body', sentAs(property), pairs);
      return pairs.map(([part, content]): Part => ({
        name: part,
        content,
        ...headers,
      }));
    }
    const parts =
      !Array.isArray(value) || isJsonType(encoding.contentType ?? '')
        ? partOf(name, value, keys, shape, encoding)
        : value.flatMap((item, index) =>
            partOf(
              name,
              item,
              [...keys, index],
              shape && itemShape(tool.shapes, shape, index),
              encoding,
            ),
          );
    return parts.map((part) => ({ ...part, ...headers }));
  });

/** Those of the description that a part can have. `Content-Type` and the name are written elsewhere. */
const headersOf = ({ headers = {} }: PropertyEncoding): Pick<Part, 'headers'> => {
  const sound = Object.entries(headers).filter(
    ([name, value]) =>
      isHeaderName(name) && isHeaderValue(value) && !/^content-(?:type|disposition)$/i.test(name),
  );
  return sound.length > 0 ? { headers: Object.fromEntries(sound) } : {};
};

const partOf = (
  name: string,
  value: unknown,
  keys: readonly (string | number)[],
  shape: Shape | undefined,
  encoding: PropertyEncoding,
): readonly Part[] => {
  if (value === null || value === undefined) return [];
  const declared = encoding.contentType?.split(',').map((type) => type.trim());
  const contentType = declared?.find((type) => !type.includes('*') && isHeaderValue(type));

  if (shape?.views.some(isFile) || (!shape?.types && looksLikeFile(value))) {
    const file = readFile(value, keys);
    return [
      {
        name,
        content: file.bytes,
        filename: file.filename ?? name,
        contentType: file.contentType ?? contentType ?? 'application/octet-stream',
      },
    ];
  }
  const isJson = contentType === undefined ? typeof value === 'object' : isJsonType(contentType);
  const type = contentType ?? (isJson ? 'application/json' : undefined);
  return [
    {
      name,
      content: isJson ? jsonText(value) : textOf(value),
      ...(type === undefined ? {} : { contentType: type }),
    },
  ];
};
