import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { ToolRefusal } from '../../platform/rules/refusal/tool-refusal.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';

export const MOST_FAULTS = 20;
const LONGEST_DESCRIPTION = 2000;
const LONGEST_PATH = 300;

/** One fault in the arguments of a call. The message never contains a value, which may be secret. */
export interface ArgumentFault {
  /** JSON pointer into the arguments, such as `/filter/name`. */
  readonly path: string;
  /** Completes a sentence that begins with the path: `must be an integer`. */
  readonly message: string;
  /**
   * The violated keyword of JSON Schema, for the record of the call; or `unknown` (argument), `together` (arguments
   * that exclude or need each other), `unreadable` (no JSON), `size` (too much to check).
   */
  readonly keyword?: string;
  /** For `type`: the type that was sent. */
  readonly sent?: string;
  /** For `type`: the types that are allowed. */
  readonly wanted?: readonly unknown[];
}

/** Refusal with at most 20 faults, for models to correct. Source: docs/protocol.md, "Arguments of a call". */
export class InvalidArguments extends ToolRefusal {
  readonly faults: readonly ArgumentFault[];

  constructor(faults: readonly ArgumentFault[]) {
    super('arguments', ...refusalOf(faults));
    this.faults = faults;
  }
}

/** Refusal where `arguments` is no object: a JSON-RPC error in every version of MCP. */
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
    // Paths can contain keys that the caller made up, so they stay out of the log.
    'the arguments break the rules of the tool',
  ];
};

export const invalidArgument = (
  keys: readonly (string | number)[],
  message: string,
  keyword?: string,
): RpcRefusal =>
  new InvalidArguments([
    { path: pointerTo(...keys), message, ...(keyword !== undefined && { keyword }) },
  ]);

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
