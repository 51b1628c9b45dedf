import {
  type Command,
  command,
  type Context,
  type Facts,
  type Options,
  type PlacesOf,
  type Run,
  type ValuesOf,
} from '../command.ts';
import { usageFailure } from '../failure.ts';
import { textOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { type Operate, operating } from './operate.ts';
import { placeOf, TARGET_OPTIONS, targetOf } from './target.ts';

/** What a command of operators is given besides what every command is. */
export interface OperatorContext extends Context {
  readonly operate: Operate;
  /** Where it goes, for people. */
  readonly place: string;
}

/**
 * A command of operators. It speaks to a function directly, not to the service's HTTP interface, so it needs
 * no login there but an identity that IAM lets invoke the function.
 */
export const adminCommand = <const Places extends readonly string[], const Given extends Options>(
  definition: Facts & {
    readonly places: Places;
    readonly options: Given;
    readonly run: (
      context: OperatorContext,
      places: PlacesOf<Places>,
      values: ValuesOf<Given>,
    ) => ReturnType<Run<unknown, unknown>>;
  },
): Command => {
  const run = definition.run as (
    context: OperatorContext,
    places: unknown,
    values: unknown,
  ) => ReturnType<Run<unknown, unknown>>;
  return command({
    ...definition,
    name: `admin ${definition.name}`,
    isLocal: true,
    options: { ...definition.options, ...TARGET_OPTIONS } as Options,
    run: async (context, places, values) => {
      const given: Readonly<Record<string, unknown>> = values;
      checkPlaces(places as Readonly<Record<string, string | undefined>>);
      const target = await targetOf(context.world, {
        stage: textOf(given['stage']),
        function: textOf(given['function']),
      });
      const operate = await operating(context.world, target);
      return run({ ...context, operate, place: placeOf(target) }, places, values);
    },
  });
};

/** Functions answer an event that is no command with a fault: what cannot be one is told before it is sent. */
const checkPlaces = (places: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(places)) {
    if (value === '') throw usageFailure(`${name.toUpperCase()} is empty.`);
    if (name === 'email' && value !== undefined && !/^[^\s@]+@[^\s@]+$/.test(value)) {
      throw usageFailure(`"${plain(value)}" is no e-mail address.`);
    }
  }
};
