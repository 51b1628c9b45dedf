import { isObject } from '../../../layers/platform/rules/json/json.ts';
import { conditionOf, textsOf } from './condition.ts';
import { anyOf } from './pattern.ts';
import type { Access, Statement } from './policy.ts';

export interface CompiledStatement {
  readonly sid: string;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  /** Principals of a resource's policy; undefined in a role's own. */
  readonly principals: readonly string[] | undefined;
  /** Whether resource and condition apply; the action has been compared before. */
  appliesTo(access: Access): boolean;
}

const ELEMENTS = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Principal', 'Condition']);

/**
 * Compiles a statement that is evaluated many times. One with an element that is not implemented here (`NotAction`,
 * `NotResource`, `NotPrincipal`) never allows and always denies.
 * @throws Error for what is no statement, and for a placeholder that nothing has replaced
 */
export const compiled = (statement: Statement): CompiledStatement => {
  const text = JSON.stringify(statement);
  const { Sid, Effect, Action, Resource, Principal, Condition } = statement;
  if (Effect !== 'Allow' && Effect !== 'Deny') throw new Error(`no effect: ${text}`);
  // Variables of IAM (`${aws:username}`) are not implemented either.
  if (text.includes('${')) throw new Error(`a placeholder is left: ${text}`);
  const actions = textsOf(Action);
  const resources = textsOf(Resource);
  const known = Object.keys(statement).every((name) => ELEMENTS.has(name));
  const resource = anyOf(resources ?? []);
  const condition = conditionOf(Condition, Effect);
  return {
    sid: typeof Sid === 'string' ? Sid : '',
    effect: Effect,
    actions: actions ?? ['*'],
    principals: Principal === undefined ? undefined : principalsOf(Principal),
    appliesTo:
      known && actions && resources
        ? (access) => resource(access.resource) && condition(access.context)
        : () => Effect === 'Deny',
  };
};

/** ARNs, accounts and `*`. Services are left out: no caller is one. */
const principalsOf = (principal: unknown): readonly string[] => {
  if (principal === '*') return ['*'];
  return (isObject(principal) && textsOf(principal['AWS'])) || [];
};
