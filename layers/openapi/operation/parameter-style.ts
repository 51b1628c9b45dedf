import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { OperationParameter, ParameterStyle } from '../tool-index.ts';

/** Where a parameter is sent. Source: OpenAPI 3.1.1, "Parameter Locations". */
export type ParameterLocation = OperationParameter['in'];

export interface Style {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

const STYLES: Readonly<Record<ParameterLocation, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/**
 * How a parameter is written. The style `cookie` of OpenAPI 3.2 is `form` without any encoding, which
 * `allowReserved` says here.
 *
 * Source: OpenAPI 3.1.1 §4.8.12.2 to §4.8.12.4; OpenAPI 3.2.0, "Style Values".
 */
export const parameterStyle = (parameter: JsonObject, location: ParameterLocation): Style => {
  const given = member(parameter, 'style');
  const fallback = location === 'path' || location === 'header' ? 'simple' : 'form';
  const style = isStyle(given) && STYLES[location].includes(given) ? given : fallback;
  const explode = member(parameter, 'explode');
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    allowReserved: member(parameter, 'allowReserved') === true || given === 'cookie',
  };
};

/** Source: Swagger 2.0, "Parameter Object", `collectionFormat`. */
export const collectionStyle = (parameter: JsonObject, location: ParameterLocation): Style => {
  const format = member(parameter, 'collectionFormat');
  if (format === 'multi' && location === 'query') {
    return { style: 'form', explode: true, allowReserved: false };
  }
  const delimited = typeof format === 'string' ? DELIMITED.get(format) : undefined;
  const fallback = location === 'path' || location === 'header' ? 'simple' : 'form';
  return { style: delimited ?? fallback, explode: false, allowReserved: false };
};

/** A name of the description that is a style, whatever the location. */
export const isStyle = (value: unknown): value is ParameterStyle =>
  typeof value === 'string' && Object.values(STYLES).flat().includes(value) && value !== 'cookie';

const DELIMITED: ReadonlyMap<string, ParameterStyle> = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);
