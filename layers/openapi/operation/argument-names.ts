import { propertyName, propertyNameWithHash } from '../schema/property-names.ts';
import type { Parameter } from './parameter.ts';

const LOCATIONS: readonly Parameter['in'][] = ['path', 'query', 'header', 'cookie'];

/**
 * What the parameters are called among the arguments: as on the wire, where that is a name that model
 * APIs take. Where two would share a name, one keeps it (a parameter that literally has it before one
 * that had to be renamed; then path before query, header and cookie), and each other gets its place as
 * an ending: `id` and `id_query`. Names do not depend on the order of the parameters.
 *
 * Source: docs/tools.md, "Parameters as arguments".
 */
export const argumentNames = (parameters: readonly Parameter[]): ReadonlyMap<Parameter, string> => {
  const names = new Map<Parameter, string>();
  const others: { parameter: Parameter; wanted: string }[] = [];
  for (const [wanted, rivals] of Map.groupBy(parameters, ({ name }) => propertyName(name))) {
    const [owner, ...rest] = rivals.toSorted(
      (a, b) => precedence(a, wanted) - precedence(b, wanted) || (a.name < b.name ? -1 : 1),
    );
    if (owner) names.set(owner, wanted);
    others.push(...rest.map((parameter) => ({ parameter, wanted: `${wanted}_${parameter.in}` })));
  }

  const taken = new Set(names.values());
  for (const [wanted, rivals] of Map.groupBy(others, (other) => other.wanted)) {
    const isFree = rivals.length === 1 && !taken.has(wanted) && propertyName(wanted) === wanted;
    for (const { parameter } of rivals) {
      const { name, in: location } = parameter;
      names.set(parameter, isFree ? wanted : propertyNameWithHash(name, location));
    }
  }
  return names;
};

/** The argument for a body that stays in one piece. */
export const bodyArgumentName = (taken: ReadonlySet<string>): string =>
  ['body', 'request_body'].find((name) => !taken.has(name)) ?? propertyNameWithHash('body', 'body');

const precedence = (parameter: Parameter, wanted: string): number =>
  LOCATIONS.indexOf(parameter.in) + (parameter.name === wanted ? 0 : LOCATIONS.length);
