import { invalidParam, MESSAGE_MAX_NAME, readString, type RpcParams } from './message.ts';
import { member, isObject } from '../../platform/rules/json/json.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';

/** The result of `completion/complete`. Source: MCP 2025-03-26, "Completion". */
export interface Completion {
  readonly completion: {
    readonly values: readonly string[];
    readonly total: number;
    readonly hasMore: boolean;
  };
}

/** Source: MCP 2025-03-26, "Completion": at most 100 values in one result. */
const MOST_SHOWN = 100;

/**
 * Values that match what was typed, whatever the case: those that begin with it, then those that
 * contain it, each in the order of their owner.
 */
export const completion = (values: readonly string[], typed: string): Completion => {
  const sought = typed.toLowerCase();
  const found = values.map((value) => ({ value, at: value.toLowerCase().indexOf(sought) }));
  const all = [...found.filter(({ at }) => at === 0), ...found.filter(({ at }) => at > 0)];
  return {
    completion: {
      values: all.slice(0, MOST_SHOWN).map(({ value }) => value),
      total: all.length,
      hasMore: all.length > MOST_SHOWN,
    },
  };
};

export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'resource'; readonly uri: string };
  /** An argument of the prompt, or a variable of the resource template. */
  readonly argument: string;
  readonly typed: string;
}

/**
 * Reads the params of `completion/complete`. `context`, the other arguments filled in so far, is
 * checked and ignored: values of one argument do not depend on another.
 * @throws RpcRefusal invalid_params that names the member
 * Source: `CompleteRequest` in the schemas of MCP 2025-03-26 and 2025-06-18 (`context`).
 */
export const readCompletionRequest = (params: RpcParams): CompletionRequest => {
  const ref = objectIn(params, '', 'ref');
  const argument = objectIn(params, '', 'argument');
  if (params['context'] !== undefined) {
    const context = objectIn(params, '', 'context');
    if (context['arguments'] !== undefined) objectIn(context, '/context', 'arguments');
  }
  return {
    of: referenceIn(ref),
    argument: readString(argument, 'name', '/argument'),
    typed: readString(argument, 'value', '/argument'),
  };
};

const referenceIn = (ref: RpcParams): CompletionRequest['of'] => {
  const type = readString(ref, 'type', '/ref');
  if (type === 'ref/prompt') return { kind: 'prompt', name: readString(ref, 'name', '/ref') };
  if (type === 'ref/resource') return { kind: 'resource', uri: readString(ref, 'uri', '/ref') };
  throw invalidParam('/ref/type', '"ref.type"', 'must be ref/prompt or ref/resource');
};

export const unknownReference = ({ of }: CompletionRequest): RpcRefusal => {
  const [what, named, member] =
    of.kind === 'prompt' ? ['prompt', of.name, 'name'] : ['resource template', of.uri, 'uri'];
  return new RpcRefusal('invalid_params', `Unknown ${what}: ${named.slice(0, MESSAGE_MAX_NAME)}`, {
    errors: [{ path: `/ref/${member}`, message: `names no ${what} of this server` }],
  });
};

const objectIn = (params: RpcParams, path: string, name: string): RpcParams => {
  const value = member(params, name);
  if (isObject(value)) return value;
  throw invalidParam(
    `${path}/${name}`,
    `"${name}"`,
    value === undefined ? 'is required' : 'must be an object',
  );
};
