import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { ToolRefusal } from '../../platform/rules/refusal/tool-refusal.ts';
import { keysOf, pointerTo } from '../../platform/rules/json/pointer.ts';

/** That a refusal tells. */
export const MOST_FAULTS = 20;
const LONGEST_DESCRIPTION = 2000;
const LONGEST_PATH = 300;

/** One thing that is wrong with the arguments of a call. The message never holds a value. */
export interface ArgumentFault {
  /** JSON pointer into the arguments, such as `/filter/name`. */
  readonly path: string;
  /** Completes the sentence that the path begins: `must be an integer`. */
  readonly message: string;
  /** It is not there, though the description requires it. */
  readonly isMissing?: true;
}

/** Calls that were refused for their arguments. */
export class InvalidArguments extends ToolRefusal {
  /** What was missing, as the description names it: an argument, or a member inside one (`body.title`). */
  readonly missing: readonly string[];

  constructor(faults: readonly ArgumentFault[]) {
    super('arguments', ...refusalOf(faults));
    this.missing = missingIn(faults);
  }
}

/**
 * The refusal of a call's arguments, worded so that a model can mend its call. At most 20 faults.
 *
 * Source: docs/protocol.md, "Arguments of a call".
 */
export const invalidArguments = (faults: readonly ArgumentFault[]): RpcRefusal =>
  new InvalidArguments(faults);

/** The refusal of what is no arguments at all, which is no call of a tool in any version. */
export const noArguments = (): RpcRefusal =>
  new RpcRefusal(...refusalOf([{ path: '', message: 'must be an object' }]));

const refusalOf = (faults: readonly ArgumentFault[]): ConstructorParameters<typeof RpcRefusal> => {
  const errors = faults
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => ({ path: shortened(path, LONGEST_PATH), message }));
  const lines = errors.map(({ path, message }) => `${path || 'the arguments'} ${message}`);
  const more = faults.length > errors.length ? ' There are more faults than these.' : '';
  return [
    'invalid_params',
    `Invalid arguments: ${shortened(lines.join('; '), LONGEST_DESCRIPTION)}.${more}`,
    { errors },
    // Paths may hold keys that the caller made up: they are for the caller, not for the log.
    'the arguments break the rules of the tool',
  ];
};

/** That a record names. */
const MOST_MISSING = 5;
const LONGEST_NAME = 64;

/** What lies between may be a key that the caller made up, which is not for the log. */
const missingIn = (faults: readonly ArgumentFault[]): readonly string[] => {
  const names = faults
    .filter(({ isMissing }) => isMissing)
    .map(({ path }) => {
      const keys = keysOf(path);
      return [...new Set([keys[0], keys.at(-1)])].join('.').slice(0, LONGEST_NAME);
    });
  return [...new Set(names)].slice(0, MOST_MISSING);
};

/** The refusal for one argument. */
export const invalidArgument = (keys: readonly (string | number)[], message: string): RpcRefusal =>
  invalidArguments([{ path: pointerTo(...keys), message }]);

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
