import type { Operation } from '../../openapi/tool-index.ts';
import { argumentOf, type Leniency } from './reading.ts';

export const NOTHING_LEFT: Leniency = { mayLack: () => false, mayBreak: () => false };

/**
 * With lenient checks: all but the places of the path may be missing; formats, patterns and the types of scalars are
 * the target's to check, which often takes more than its description says.
 */
export const leftToTarget = (operation: Operation): Leniency => {
  const inPath = new Set(
    operation.parameters.filter((one) => one.in === 'path').map(({ argument }) => argument),
  );
  return {
    mayLack: (reading, name) => !inPath.has(String(argumentOf(reading) ?? name)),
    mayBreak: (reading, keyword, rule) => {
      const argument = argumentOf(reading);
      return (
        argument !== undefined &&
        isLeftToTarget(operation, String(argument), {
          keyword,
          wanted: [rule].flat(),
          isScalar: typeof reading.value !== 'object' || reading.value === null,
        })
      );
    },
  };
};

/** A keyword that a value breaks. */
interface Breach {
  readonly keyword: string;
  /** Of `type`: the types that it should have. */
  readonly wanted: readonly unknown[];
  readonly isScalar: boolean;
}

/**
 * Whether lenient checks let a breach pass. A JSON body can hold anything where a scalar is described, and a list where
 * an object is, as fields for any JSON are described; other parts of a request are written as their schemas have it, so
 * that only another scalar can stand there.
 *
 * Source: drf-spectacular 0.25, "JSONField" as `type: object`.
 */
export const isLeftToTarget = (
  { parameters, body }: Operation,
  argument: string,
  { keyword, wanted, isScalar }: Breach,
): boolean => {
  if (keyword === 'format' || keyword === 'pattern') return true;
  if (keyword !== 'type' || argument === body?.emptyArgument) return false;
  const isInJson = body?.form === 'json' && !parameters.some((one) => one.argument === argument);
  const isStructure = wanted.includes('object') || wanted.includes('array');
  return isStructure ? isInJson && !isScalar : isInJson || isScalar;
};
