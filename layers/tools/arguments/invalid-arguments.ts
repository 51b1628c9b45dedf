import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { ToolRefusal } from '../../platform/rules/refusal/tool-refusal.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';

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
  /**
   * What is broken, for the record of the call: a keyword of JSON Schema; `unknown` (no argument of the tool),
   * `together` (arguments that do not go together), `unreadable` (no JSON), `size` (more than is checked).
   */
  readonly keyword?: string;
  /** Of `type`: the type of the value that was sent. */
  readonly sent?: string;
  /** Of `type`: the types that it should have. */
  readonly wanted?: readonly unknown[];
}

export class InvalidArguments extends ToolRefusal {
  readonly faults: readonly ArgumentFault[];

  constructor(faults: readonly ArgumentFault[]) {
    super('arguments', ...refusalOf(faults));
    this.faults = faults;
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

export const invalidArgument = (
  keys: readonly (string | number)[],
  message: string,
  keyword?: string,
): RpcRefusal =>
  invalidArguments([
    { path: pointerTo(...keys), message, ...(keyword !== undefined && { keyword }) },
  ]);

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
