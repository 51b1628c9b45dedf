import { type Command, command, type Context, type Definition, type Options } from '../command.ts';
import type { Facts, PlacesOf, ValuesOf } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { agree as agreeTo } from '../input/ask.ts';
import { type Json, textOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import type { OperatorCommandName } from './functions.ts';
import { type Operate, operating } from './operate.ts';
import { placeOf, TARGET_OPTIONS, targetOf } from './target.ts';

export interface OperatorContext extends Context {
  readonly operate: Operate;
  readonly place: string;
}

/** Commands of operators invoke functions directly: they need an identity that IAM lets do so, and no login. */
export const adminCommand = <
  const Places extends readonly string[] = readonly [],
  const Given extends Options = Readonly<Record<never, never>>,
>({
  run,
  ...facts
}: Definition<Places, Given, OperatorContext>): Command =>
  command({
    ...facts,
    name: `admin ${facts.name}`,
    isLocal: true,
    options: { ...facts.options, ...TARGET_OPTIONS } as Options,
    run: async (context, places, values) => {
      const given: Json = values;
      checkPlaces(places as Readonly<Record<string, string | undefined>>);
      const target = await targetOf(context.world, {
        stage: textOf(given.stage),
        function: textOf(given.function),
      });
      const operate = await operating(context.world, target);
      return run(
        { ...context, operate, place: placeOf(target) },
        places as PlacesOf<Places>,
        values as ValuesOf<Given>,
      );
    },
  });

export const YES = { yes: { help: 'do not ask' } } as const;

export const operation = <
  const Places extends readonly string[] = readonly [],
  const Given extends Options = Readonly<Record<never, never>>,
>({
  sends,
  sent = (places) => places,
  agree,
  lines,
  ...facts
}: Facts & {
  readonly places?: Places;
  readonly options?: Given;
  readonly sends: OperatorCommandName;
  readonly sent?: (places: PlacesOf<Places>, values: ValuesOf<Given>) => Json;
  /** Question to confirm, unless --yes is given. @param places - safe to show */
  readonly agree?: (place: string, places: PlacesOf<Places>) => string;
  /** Lines that a person sees. @param places - safe to show */
  readonly lines: (answer: Json, places: PlacesOf<Places>) => readonly string[];
}): Command =>
  adminCommand({
    ...facts,
    options: { ...facts.options, ...(agree && YES) } as Options,
    run: async ({ operate, output, ask, place }, typed, values) => {
      const given = typed as PlacesOf<Places>;
      const shown = Object.fromEntries(
        Object.entries(typed).map(([name, text]) => [name, plain(String(text))]),
      ) as PlacesOf<Places>;
      if (agree && values.yes !== true) await agreeTo(ask, agree(place, shown));
      const answer = await operate(sends, sent(given, values as ValuesOf<Given>));
      output.result(answer, lines(answer, shown));
    },
  });

/** Refuses empty and malformed places, which functions would answer with a fault. */
const checkPlaces = (places: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(places)) {
    if (value === '') throw usageFailure(`${name.toUpperCase()} is empty.`);
    if (name === 'email' && value !== undefined && !/^[^\s@]+@[^\s@]+$/.test(value)) {
      throw usageFailure(`"${plain(value)}" is no e-mail address.`);
    }
  }
};

export const allAnswers = async (
  ask: (after: string | undefined) => Promise<Json>,
): Promise<readonly Json[]> => {
  const answers: Json[] = [];
  let after: string | undefined;
  do {
    const answer = await ask(after);
    answers.push(answer);
    after = textOf(answer.next);
  } while (after !== undefined);
  return answers;
};
