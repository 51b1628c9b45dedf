import type { Habit } from './habit.ts';

/** An expression of a URI template, with what its operator puts before each value. */
interface TemplateOperator extends Habit {
  readonly operator: string;
  /** What stands in the path for one of its names; nothing where its values stand elsewhere, or nowhere. */
  readonly inPath?: (name: string, isExploded: boolean) => string;
  /** What stands between two of them. */
  readonly between?: string;
  /** As a parameter of the query. */
  readonly isQuery?: true;
  /** The `style` of a parameter that says the same, so that the path need not. */
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

/** A name and its modifier: `*` for each of its values, `:3` for so many characters. */
const NAME = /^([\w$][\w$.[\]-]*)(\*|:\d+)?$/;

export interface ExpandedTemplate {
  /** With places as OpenAPI or routers write them. */
  readonly path: string;
  /** Names that stand in the query. */
  readonly query: readonly string[];
}

/**
 * The path of a URI template, whose expressions may have an operator and several names.
 *
 * @param styleOf - how a parameter of the path is declared; undefined for one that is not
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
    // `{id}` and `{+id}` are places already, and `{a,b}` may be the name of one.
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
