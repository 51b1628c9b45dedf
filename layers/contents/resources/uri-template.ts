export type UriPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value';
      readonly name: string;
      /** Text before a value. If there is one, it and the value may be missing together. */
      readonly prefix: '' | '/' | '#';
      /** Whether the value may contain `/`, `?`, `#` and `&`. */
      readonly reserved: boolean;
    }
  | { readonly kind: 'query'; readonly start: '?' | '&'; readonly names: readonly string[] };

export const isTemplate = (uri: string): boolean => /\{[^{}]*\}/.test(uri);

/**
 * Parses the forms of RFC 6570 that can be matched without guessing: `{a}`, `{+a}`, `{#a}`, `{/a,b}`, `{?a,b}` and
 * `{&a,b}`.
 *
 * @returns undefined for anything else: other operators, `{a,b}`, `{a*}`, `{a:3}`, a repeated variable, `{a}{b}` with
 *   nothing between
 */
export const parseUriTemplate = (uriTemplate: string): readonly UriPart[] | undefined => {
  const parts: UriPart[] = [];
  for (const [index, piece] of uriTemplate.split(/\{([^{}]*)\}/).entries()) {
    const read = index % 2 === 0 ? readText(piece) : readExpression(piece);
    if (!read) return undefined;
    parts.push(...read);
  }
  const names = parts.flatMap(namesOf);
  if (new Set(names).size < names.length || parts.some(touchesAnother)) return undefined;
  return parts;
};

const readText = (text: string): UriPart[] | undefined => {
  if (/[{}]/.test(text)) return undefined;
  return text === '' ? [] : [{ kind: 'text', text }];
};

const readExpression = (expression: string): UriPart[] | undefined => {
  const operator = /^[+#/?&]/.exec(expression)?.[0] ?? '';
  const names = expression.slice(operator.length).split(',');
  if (!names.every((name) => /^\w[\w.-]*$/.test(name))) return undefined;
  switch (operator) {
    case '?':
    case '&':
      return [{ kind: 'query', start: operator, names }];
    case '/':
      return names.map((name) => ({ kind: 'value', name, prefix: '/', reserved: false }));
    default: {
      if (names.length > 1) return undefined;
      const prefix = operator === '#' ? '#' : '';
      return names.map((name) => ({ kind: 'value', name, prefix, reserved: operator !== '' }));
    }
  }
};

export const namesOf = (part: UriPart): readonly string[] => {
  if (part.kind === 'text') return [];
  return part.kind === 'value' ? [part.name] : part.names;
};

const touchesAnother = (part: UriPart, index: number, parts: readonly UriPart[]): boolean =>
  part.kind === 'value' && part.prefix === '' && parts[index - 1]?.kind === 'value';
