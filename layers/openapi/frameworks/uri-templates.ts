import type { Habit } from './habit.ts';

interface TemplateOperator extends Habit {
  readonly operator: string;
  /** Text of one variable in the path; absent where values are not in the path. */
  readonly inPath?: (name: string, isExploded: boolean) => string;
  readonly between?: string;
  readonly isQuery?: true;
  /** `style` of a path parameter that writes the same prefix itself. */
  readonly style?: string;
}

export const TEMPLATE_OPERATORS = [
  {
    operator: '?',
    frameworks: 'URI templates, springfox, Spring HATEOAS',
    writes: '`/orders{?page,size}`',
    takes: '`/orders?page=1&size=20`',
    source: 'RFC 6570 §3.2.8',
    isQuery: true,
  },
  {
    operator: '&',
    frameworks: 'URI templates, Spring HATEOAS',
    writes: '`/orders?fixed=1{&page}`',
    takes: '`/orders?fixed=1&page=1`',
    source: 'RFC 6570 §3.2.9',
    isQuery: true,
  },
  {
    operator: ';',
    frameworks: 'URI templates, JAX-RS, Spring',
    writes: '`/map{;lat,long}`',
    takes: '`/map;lat=1;long=2`',
    source: 'RFC 6570 §3.2.7',
    inPath: (name) => `;${name}={${name}}`,
    style: 'matrix',
  },
  {
    operator: '.',
    frameworks: 'URI templates, Rails, API Platform',
    writes: '`/orders{.format}`',
    takes: '`/orders.json`',
    source: 'RFC 6570 §3.2.5',
    inPath: (name) => `.{${name}}`,
    style: 'label',
  },
  {
    operator: '/',
    frameworks: 'URI templates',
    writes: '`/orders{/id}`, `/files{/path*}`',
    takes: '`/orders/17`, the rest of the path',
    source: 'RFC 6570 §3.2.6',
    inPath: (name, isExploded) => `/{${name}${isExploded ? '*' : ''}}`,
  },
  {
    operator: '#',
    frameworks: 'URI templates',
    writes: '`/orders{#section}`',
    takes: '`/orders`: no request has a fragment',
    source: 'RFC 6570 §3.2.4; RFC 9110 §4.2.5',
  },
  {
    operator: '+',
    frameworks: 'URI templates',
    writes: '`/between/{+from,to}`',
    takes: '`/between/a/b,c`',
    source: 'RFC 6570 §3.2.3',
    inPath: (name) => `{+${name}}`,
    between: ',',
  },
  {
    operator: '',
    frameworks: 'URI templates',
    writes: '`/map/{lat,long}`',
    takes: '`/map/1,2`',
    source: 'RFC 6570 §3.2.2',
    inPath: (name) => `{${name}}`,
    between: ',',
  },
] as const satisfies readonly TemplateOperator[];

const EXPRESSION = /\{([?&;./#+]?)([\w$][\w$.[\]*:,-]*)\}/g;

/** Variable name with its modifier: `*` (explode) or `:3` (prefix length). */
const NAME = /^([\w$][\w$.[\]-]*)(\*|:\d+)?$/;

export interface ExpandedTemplate {
  readonly path: string;
  readonly query: readonly string[];
}

/**
 * Expands URI template expressions with operators or several names.
 * @param styleOf - `style` of a declared path parameter; undefined if it is not declared
 * Source: RFC 6570 §2.2, §3.2.
 */
export const expandTemplate = (
  path: string,
  styleOf: (name: string) => string | undefined,
): ExpandedTemplate => {
  const query: string[] = [];
  const operators: readonly TemplateOperator[] = TEMPLATE_OPERATORS;
  const expanded = path.replaceAll(EXPRESSION, (written, operator: string, list: string) => {
    const names = list.split(',').map((one) => NAME.exec(one));
    const isPlain = operator === '' || operator === '+';
    // `{id}` and `{+id}` are variables already, and `{a,b}` may be the name of one.
    if (names.includes(null) || (isPlain && (names.length < 2 || styleOf(list) !== undefined)))
      return written;
    const {
      inPath,
      between = '',
      isQuery,
      style,
    } = operators.find((one) => one.operator === operator) as TemplateOperator;
    const places = names.map((found) => {
      const [, name = '', modifier] = found ?? [];
      if (isQuery) query.push(name);
      if (style !== undefined && styleOf(name) === style) return `{${name}}`;
      return inPath?.(name, modifier === '*') ?? '';
    });
    return places.join(between);
  });
  return { path: expanded, query };
};
