import type { IndexedTool, Operation, ToolIndex } from '../../openapi/tool-index.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { namedCredentials, type WithCredentials } from './deployment-credential.ts';

/** An operation as credentials name it: `POST /sessions`. */
export const operationName = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`;

/**
 * The tools of a version without the logins that the deployment's credentials begin sessions with: they are for the
 * service to make, and their answers hold tokens.
 *
 * @returns the same index where there are none
 */
export const withoutLogins = (index: ToolIndex, deployment: WithCredentials): ToolIndex => {
  const logins = loginsOf(deployment);
  if (logins.length === 0) return index;
  const key = logins.join('\n');
  const known = filtered.get(index);
  if (known?.key === key) return known.index;
  const isShown = noLoginOf(deployment);
  const tools = index.tools.filter(({ operation }: IndexedTool) => isShown(operation));
  const without = { ...index, tools };
  filtered.set(index, { key, index: without });
  return without;
};

/** Whether an operation is none of the logins that the deployment's credentials begin sessions with. */
export const noLoginOf = (
  deployment: WithCredentials,
): ((operation: Pick<Operation, 'method' | 'path'>) => boolean) => {
  const logins = loginsOf(deployment);
  return (operation) => logins.length === 0 || !logins.includes(operationName(operation));
};

const loginsOf = (deployment: WithCredentials): readonly string[] =>
  namedCredentials(deployment).flatMap(([, one]) => (one.type === 'session' ? [one.login] : []));

/** Logins that a version has no more: whoever published it may not know that somebody signs in by them. */
export const lostLogins = (
  { tools }: ToolIndex,
  deployment: WithCredentials,
): readonly Finding[] => {
  const known = new Set(tools.map(({ operation }) => operationName(operation)));
  return namedCredentials(deployment).flatMap(([name, one]) =>
    one.type !== 'session' || known.has(one.login)
      ? []
      : [
          {
            where: `/credentials/${name}`,
            what: `signs in by ${one.login}, which this version does not have`,
            hint: 'It goes on as it was set. If the API has another login now, set the credential again with that.',
          },
        ],
  );
};

/** A memo, as long as the index is remembered: what is made of the filtered one is found by it. */
const filtered = new WeakMap<ToolIndex, { readonly key: string; readonly index: ToolIndex }>();
