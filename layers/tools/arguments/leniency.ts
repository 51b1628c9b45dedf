import type { Operation } from '../../openapi/tool-index.ts';
import { argumentOf, type Leniency } from './reading.ts';

export const NOTHING_LEFT: Leniency = { mayLack: () => false, mayBreak: () => false };

/** Lenient checks: only path parameters must be present; formats, patterns and types of scalars are not enforced. */
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

interface Breach {
  readonly keyword: string;
  readonly wanted: readonly unknown[];
  readonly isScalar: boolean;
}

/**
 * Whether lenient checks ignore a violation. In a JSON body any value may stand for a scalar, and a list for an object,
 * since fields for any JSON are described as objects. Elsewhere the schema decides how a value is serialized, so that
 * only another scalar may stand for a scalar.
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
