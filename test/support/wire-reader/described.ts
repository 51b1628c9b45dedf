/**
 * What a description says of requests, read for the tests from the document alone: nothing of the
 * service's own reading is used.
 */
export type Node = Readonly<Record<string, unknown>>;

export interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly isJson: boolean;
}

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
  /** By media type: the encoding of single properties. Absent where no body is described. */
  readonly body?: { readonly required: boolean; readonly content: Readonly<Record<string, Node>> };
}

const METHODS = 'get put post delete options head patch trace query'.split(' ');

export const describedOperations = (document: Node): readonly DescribedOperation[] =>
  Object.entries(nodeOf(document['paths'])).flatMap(([path, given]) => {
    const item = followed(document, given);
    return Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => described(document, path, method, item, nodeOf(operation)));
  });

const described = (
  document: Node,
  path: string,
  method: string,
  item: Node,
  operation: Node,
): DescribedOperation => {
  const all = new Map<string, Node>();
  for (const list of [item['parameters'], operation['parameters']]) {
    for (const given of Array.isArray(list) ? list : []) {
      const parameter = followed(document, given);
      const { name } = parameter;
      const place = String(parameter['in']);
      all.set(`${place} ${place === 'header' ? String(name).toLowerCase() : name}`, parameter);
    }
  }
  const parameters = [...all.values()];
  const inBody = parameters.filter((one) => ['body', 'formData'].includes(String(one['in'])));
  const requestBody = followed(document, operation['requestBody']);
  const content = nodeOf(requestBody['content']);
  const body =
    inBody.length > 0
      ? swaggerBody(document, inBody, [operation['consumes'] ?? document['consumes'] ?? []].flat())
      : operation['requestBody'] === undefined
        ? undefined
        : {
            required: requestBody['required'] === true,
            content: Object.fromEntries(
              Object.entries(content).map(([type, media]) => {
                const { encoding } = followed(document, media);
                return [type, nodeOf(encoding)];
              }),
            ),
          };
  return {
    method: method.toUpperCase(),
    path,
    parameters: parameters
      .filter((one) => !inBody.includes(one))
      .flatMap((one) => (one['in'] === 'querystring' ? wholeQuery(document, one) : [read(one)])),
    ...(body && { body }),
  };
};

const read = (parameter: Node): DescribedParameter => {
  const { name, required, style: given, explode, content, collectionFormat: format } = parameter;
  const place = String(parameter['in']);
  const plain = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const style = typeof given === 'string' ? given : (COLLECTIONS.get(String(format)) ?? plain);
  const isSwagger = parameter['schema'] === undefined && content === undefined;
  const explodes = isSwagger ? format === 'multi' : style === 'form';
  return {
    name: String(name),
    in: place,
    required: required === true,
    style,
    explode: typeof explode === 'boolean' ? explode : explodes,
    allowReserved: parameter['allowReserved'] === true,
    isJson: Object.keys(nodeOf(content)).some((type) => /[/+]json\b/.test(type)),
  };
};

const COLLECTIONS = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);

/** OpenAPI 3.2: the properties of the one parameter `in: querystring`. */
const wholeQuery = (document: Node, { content }: Node): readonly DescribedParameter[] => {
  const [media] = Object.values(nodeOf(content));
  const schema = followed(document, nodeOf(media)['schema']);
  const required = [schema['required'] ?? []].flat();
  return Object.keys(nodeOf(schema['properties'])).map((name) => ({
    ...read({ name, in: 'query', schema: {} }),
    required: required.includes(name),
  }));
};

const swaggerBody = (document: Node, inBody: readonly Node[], consumes: readonly unknown[]) => ({
  required: inBody.some((one) => one['required'] === true),
  content: Object.fromEntries(
    (consumes.length > 0 ? consumes : ['application/json']).map((type) => [
      String(type),
      Object.fromEntries(inBody.flatMap((one) => swaggerEncodings(document, one))),
    ]),
  ),
});

/** Swagger 2.0 does not say how a body nests in a form; nearly all servers read `a[b]=c`. */
const swaggerEncodings = (
  document: Node,
  parameter: Node,
): readonly (readonly [string, Node])[] => {
  const { name, type, in: place, collectionFormat: format } = parameter;
  if (place === 'body') {
    const schema = followed(document, parameter['schema']);
    return Object.keys(nodeOf(schema['properties'])).map((key) => [key, { style: 'deepObject' }]);
  }
  const style = COLLECTIONS.get(String(format)) ?? 'form';
  return type === 'array' ? [[String(name), { style, explode: format === 'multi' }]] : [];
};

/** What a node is, references followed. */
const followed = (document: Node, node: unknown): Node => {
  const { $ref } = nodeOf(node);
  if (typeof $ref !== 'string') return nodeOf(node);
  const keys = $ref.slice(2).split('/');
  return followed(
    document,
    keys
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((at: unknown, key) => nodeOf(at)[key], document),
  );
};

export const nodeOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null ? (value as Node) : {};
