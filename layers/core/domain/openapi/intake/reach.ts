import type { Finding } from '../../refusal.ts';
import { type Dialect, isObject, type JsonObject, member, resolve } from '../document.ts';
import { refusal, type Warnings } from './findings.ts';
import { type Kind, readsBesideReference, type Visit, visitChildren } from './grammar.ts';
import type { Broken } from './references.ts';

/** What a call has no use for: a reference in it that points at nothing does no harm. */
const UNUSED: ReadonlySet<Kind> = new Set(['callback', 'example', 'link']);

/**
 * Refuses references that point at nothing where a path can reach them, and warns of all others.
 *
 * @throws ApiRefusal `unresolvable_reference`
 */
export const checkReach = (
  root: JsonObject,
  dialect: Dialect,
  broken: Broken,
  warnings: Warnings,
): void => {
  if (broken.size === 0) return;
  const reached = reachable(root, dialect);
  const fatal: Finding[] = [];
  for (const [node, finding] of broken) {
    if (reached.has(node)) fatal.push(finding);
    else warnings.add(finding.where, `${finding.what}; no operation needs it`, finding.mend);
  }
  if (fatal.length === 0) return;
  throw refusal(
    'unresolvable_reference',
    'The description refers to what it does not hold.',
    fatal,
  );
};

const reachable = (root: JsonObject, dialect: Dialect): ReadonlySet<object> => {
  const reached = new Set<object>();
  const open: { readonly node: JsonObject; readonly kind: Kind }[] = [];
  const enter: Visit = (node, kind) => {
    if (!isObject(node) || UNUSED.has(kind) || reached.has(node)) return;
    reached.add(node);
    open.push({ node, kind });
  };
  visitChildren({ paths: member(root, 'paths') ?? null }, 'description', '', enter);
  // A list of our own instead of recursion: references can make a chain of any length.
  for (const { node, kind } of open) {
    const ref = member(node, '$ref');
    if (typeof ref === 'string') enter(resolve(root, ref) ?? null, kind, '');
    if (typeof ref === 'string' && !readsBesideReference(kind, dialect)) continue;
    visitChildren(node, kind, '', enter);
  }
  return reached;
};
