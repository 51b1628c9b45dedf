import type { Api } from './api/api.ts';
import type { Ask } from './input/ask.ts';
import type { ExitCode } from './failure.ts';
import type { Output } from './output.ts';
import type { Accounts } from './accounts.ts';
import type { World } from './world.ts';

export interface OptionFacts {
  /** Placeholder for its value in the help. */
  readonly value?: string;
  readonly multiple?: true;
  readonly help: string;
}

export type Options = Readonly<Record<string, OptionFacts>>;

export interface Context {
  readonly world: World;
  readonly output: Output;
  readonly ask: Ask;
  readonly accounts: Accounts;
  readonly api: Api;
}

/** Value of an option: undefined where it was not given, a list where it may be repeated. */
type ValueOf<Option extends OptionFacts> = Option extends { readonly multiple: true }
  ? readonly string[]
  : Option extends { readonly value: string }
    ? string | undefined
    : boolean;

export type ValuesOf<Given extends Options> = {
  readonly [Name in keyof Given]: ValueOf<Given[Name]>;
};

type NameOf<Place extends string> = Place extends `${infer Name}${'?' | '*'}` ? Name : Place;

export type PlacesOf<Places extends readonly string[]> = {
  readonly [Place in Places[number] as NameOf<Place>]: Place extends `${string}*`
    ? readonly string[]
    : Place extends `${string}?`
      ? string | undefined
      : string;
};

export interface Facts {
  /** Name as typed: `credential set`. */
  readonly name: string;
  readonly summary: string;
  readonly details?: readonly string[];
  /** Whether it makes a typed URL or profile the default, and creates a new profile. */
  readonly remembersService?: true;
  /** Whether it sends nothing to the management API, and so works whatever service is named. */
  readonly isLocal?: true;
  /** Whether on a managed server it needs the declaration, or `--override-manager`. */
  readonly changesManaged?: true;
  /** Whether the help leaves it out, since programs such as shells call it. */
  readonly isHidden?: true;
}

/** Resolves to an exit code other than 0, or to nothing. @throws Failure */
export type Run<Places, Values, Given = Context> = (
  context: Given,
  places: Places,
  values: Values,
) => Promise<ExitCode | void>;

export type Definition<
  Places extends readonly string[],
  Given extends Options,
  In = Context,
> = Facts & {
  /**
   * Words behind the name, in order; one that ends in `?` is optional, and the last may end in `*` for any number.
   */
  readonly places?: Places;
  readonly options?: Given;
  readonly run: Run<PlacesOf<Places>, ValuesOf<Given>, In>;
};

export interface Command extends Facts {
  readonly places: readonly string[];
  readonly options: Options;
  readonly run: Run<
    Readonly<Record<string, string | readonly string[] | undefined>>,
    Readonly<Record<string, unknown>>
  >;
}

export const command = <
  const Places extends readonly string[] = readonly [],
  const Given extends Options = Readonly<Record<never, never>>,
>(
  definition: Definition<Places, Given>,
): Command => ({ places: [], options: {}, ...definition }) as unknown as Command;
