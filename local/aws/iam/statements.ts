import { patternOf } from './pattern.ts';
import type { Access, Statement } from './policy.ts';
import { compiled, type CompiledStatement } from './statement.ts';

export type Statements = (access: Access) => readonly CompiledStatement[];

/** Compiles a policy. Statements are found by their action: by equality, and by pattern only if it has a wildcard. */
export const statementsOf = (policy: readonly Statement[]): Statements => {
  const byAction = new Map<string, CompiledStatement[]>();
  const others: { readonly statement: CompiledStatement; matches(action: string): boolean }[] = [];
  for (const statement of policy.map(compiled)) {
    for (const action of statement.actions) {
      if (/[*?]/.test(action)) others.push({ statement, matches: patternOf(action) });
      else byAction.set(action, [...(byAction.get(action) ?? []), statement]);
    }
  }
  return (access) => {
    const applying = (byAction.get(access.action) ?? []).filter((one) => one.appliesTo(access));
    for (const { statement, matches } of others) {
      if (matches(access.action) && statement.appliesTo(access)) applying.push(statement);
    }
    return applying;
  };
};
