import { FUNCTION_SETTINGS, variableOf } from '../../lib/stage/variables.ts';
import {
  type FunctionSettings,
  type LocalFunction,
  localFunction,
} from '../../local/functions/index.ts';

/** The version that served before, and the one that takes over. */
export type Version = 'former' | 'new';

/** Which of the two takes the next invocation of a function, as an alias with weights decides on AWS. */
export type Turns = (functionName: string) => Version;

/** What serves beside: the code of functions, and the variables that this code asks for. */
export type FormerFunctions = Readonly<
  Record<string, { readonly entry: URL; readonly environment: readonly string[] }>
>;

export interface Versions {
  /** In place of a function in one thread: two on the same data and log, under the grants of the newer. */
  readonly runFunction: typeof localFunction;
  /** Ends all instances of a function and starts others, which remember nothing. */
  renew(functionName: string): Promise<void>;
}

/**
 * Two versions of each function behind one name. A function that the former version does not have runs
 * alone; what only the former one has is gone, as its routes are.
 */
export const openVersions = (former: FormerFunctions, turns: Turns): Versions => {
  const settingsOf = new Map<string, FunctionSettings>();
  const instances = new Map<string, Record<Version, LocalFunction>>();

  /** A version has its own variables; their values are those of the stage. */
  const formerStart = async ({ name, start }: FunctionSettings, wanted: readonly string[]) => {
    const all = await Promise.all([...settingsOf.values()].map((one) => one.start));
    const stage = Object.assign({}, ...all.map(({ environment }) => environment));
    const { environment: own, options } = await start;
    const unknown = wanted.find((variable) => stage[variable] === undefined);
    if (unknown !== undefined) {
      throw new Error(`${name} of the former version asks for ${unknown}, which no stage sets now`);
    }
    const aws = Object.entries(own).filter(([variable]) => variable.startsWith('AWS_'));
    // Its manifest may have them among its variables, as it had before they had a table.
    const settings = FUNCTION_SETTINGS.filter(([, row]) =>
      row.functions.some((one) => one === name),
    );
    const variables = [...wanted, ...settings.map(([key]) => variableOf(key))].map(
      (variable) => [variable, stage[variable]] as const,
    );
    return { environment: Object.fromEntries([...variables, ...aws]), options };
  };

  const start = (settings: FunctionSettings): Record<Version, LocalFunction> => {
    const current = localFunction(settings);
    const { [settings.name]: code } = former;
    if (!code) return { former: current, new: current };
    // Later than now, when all functions are known.
    const given = Promise.resolve().then(() => formerStart(settings, code.environment));
    return {
      former: localFunction({ ...settings, entry: code.entry, start: given }),
      new: current,
    };
  };
  const both = (name: string): readonly LocalFunction[] => {
    const running = instances.get(name);
    return running ? [...new Set([running.former, running.new])] : [];
  };

  return {
    runFunction: (settings) => {
      const { name } = settings;
      settingsOf.set(name, settings);
      instances.set(name, start(settings));
      return {
        ready: async () => {
          // First, for what it says: a thread that is given nothing says only that it ended.
          const { [name]: code } = former;
          if (code) await formerStart(settings, code.environment);
          await Promise.all(both(name).map((one) => one.ready()));
        },
        invoke: async (event) => instances.get(name)![turns(name)].invoke(event),
        thawed: () => Promise.race(both(name).map((one) => one.thawed())),
        close: async () => void (await Promise.all(both(name).map((one) => one.close()))),
      };
    },
    renew: async (name) => {
      const before = both(name);
      const settings = settingsOf.get(name);
      if (!settings) throw new Error(`there is no function ${name}`);
      instances.set(name, start(settings));
      await Promise.all(both(name).map((one) => one.ready()));
      await Promise.all(before.map((one) => one.close()));
    },
  };
};
