import type { JSONPathNode } from 'json-p3';
import { isObject, type Json } from '../../platform/rules/json/json.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { OverlayApplication } from '../document.ts';
import { checkTree } from '../intake/check-tree.ts';
import { collectWarnings, finding, type Warnings } from '../intake/findings.ts';
import { parse } from '../intake/parse.ts';
import { PathFault, selectNodes, type Spend, stepsToSpend } from './select-nodes.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export interface Overlaid {
  readonly root: Json;
  readonly applications: readonly OverlayApplication[];
}

type Container = Record<string, Json> | Json[];

/** Position of a selected value; without parent it is the document itself. */
interface Place {
  readonly parent?: Container;
  readonly key: string | number;
  readonly value: Json;
}

interface Action {
  readonly where: string;
  readonly target: string;
  readonly remove: boolean;
  readonly update?: Json;
  readonly copy?: string;
}

/** Called where a merge meets a value of another type; `stays`: whether the old one is kept. */
type Clash = (key: string, before: Json, stays: boolean) => void;

/** @throws ApiRefusal */
type Refuse = (where: string, what: string, hint: string) => never;

/**
 * Applies overlays in order to a copy of a document. Warns of actions that match nothing, and of merges of different
 * types: the new value replaces the old one, except null over an object or list, which is an empty key in YAML.
 * @param document - checked: a finite tree
 * @param overlays - texts in JSON or YAML
 * @param limits - `maxBytes`: of one overlay; `maxAdded`: characters that all actions together may add
 * @throws ApiRefusal `invalid_request`, naming overlay, action and fault
 * Source: Overlay Specification 1.0 and 1.1, "Action Object".
 */
export const applyOverlays = (
  document: Json,
  overlays: readonly string[],
  { maxBytes, maxAdded }: { readonly maxBytes: number; readonly maxAdded: number },
  warnings: Warnings,
): Overlaid => {
  // A copy with YAML aliases expanded: otherwise a change would appear wherever an alias is used.
  const root = parsedJson(JSON.stringify(document)) as Json;
  const spend = stepsToSpend();
  let left = maxAdded;
  const add = (text: string, where: string): Json => {
    left -= text.length;
    if (left < 0) {
      const what = `the overlays add more than ${maxAdded} characters together`;
      refuse(where, what, 'Let the target match fewer places.');
    }
    return parsedJson(text) as Json;
  };

  const serverLists = new Map<Json[], Set<Json>>();
  const applications: OverlayApplication[] = [];
  for (const [index, text] of overlays.entries()) {
    const { title, actions } = readOverlay(text, `/overlays/${index}`, maxBytes);
    const strays = actions.filter(
      (action) => act(root, action, { spend, add, warnings, serverLists }) === 0,
    );
    const applied = actions.length - strays.length;
    applications.push({ title, actions: actions.length, applied });
    for (const { where, target } of strays) {
      const what = `the target ${target} matches nothing; ${applied} of ${actions.length} actions were applied`;
      warnings.add(where, what, 'Correct the target, or remove the action.');
    }
  }
  for (const [list, added] of serverLists) putFirst(list, added);
  return { root, applications };
};

/**
 * Servers that an overlay has added to others come first, since calls go to one of them alone: the action is meant to
 * change where they go.
 */
const putFirst = (list: Json[], added: ReadonlySet<Json>): void => {
  const others = list.filter((one) => !added.has(one));
  const first = list.filter((one) => added.has(one));
  list.splice(0, list.length, ...first, ...others);
};

const refuse: Refuse = (where, what, hint) => {
  throw refusal([finding(where, what, hint)]);
};

const refusal = (findings: readonly Finding[]): ApiRefusal =>
  new ApiRefusal('invalid_request', 'An overlay cannot be applied.', findings);

const VERSION = /^1\.[0-2](?:\.\d{1,9})?$/;

const readOverlay = (
  text: string,
  where: string,
  maxBytes: number,
): { readonly title: string; readonly actions: readonly Action[] } => {
  const overlay = readTree(text, where, maxBytes);
  if (!isObject(overlay)) return refuse(where, 'not an object', 'Send an OpenAPI Overlay.');
  const { overlay: version, info, actions } = overlay;
  if (typeof version !== 'string' || !VERSION.test(version)) {
    const what = 'not a version of the Overlay Specification that is read';
    return refuse(`${where}/overlay`, what, 'Write 1.0.0, 1.1.0 or 1.2.0, as a text.');
  }
  const title = isObject(info) ? info['title'] : undefined;
  if (typeof title !== 'string') {
    return refuse(`${where}/info`, 'no object with a title', 'Give it `title` and `version`.');
  }
  if (!Array.isArray(actions) || actions.length === 0) {
    return refuse(`${where}/actions`, 'no list of actions', 'Give at least one action.');
  }
  return {
    title: finding('', title, '').what,
    actions: actions.map((action, index) => readAction(action, `${where}/actions/${index}`)),
  };
};

/** Parses an overlay; refusals about descriptions are reworded. */
const readTree = (text: string, where: string, maxBytes: number): Json => {
  try {
    const { tree } = parse(text, maxBytes, collectWarnings());
    checkTree(tree, 2 * maxBytes, collectWarnings());
    return tree;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const found = error.findings ?? [];
    if (found.length === 0) return refuse(where, error.message, 'Correct the overlay.');
    throw refusal(
      found.map((one) => ({
        ...one,
        where: one.where.startsWith('/') ? `${where}${one.where}` : `${where} ${one.where}`.trim(),
      })),
    );
  }
};

const readAction = (action: Json, where: string): Action => {
  if (!isObject(action)) return refuse(where, 'not an object', 'Give it a target.');
  const { target, update, copy, remove = false } = action;
  if ('$ref' in action) {
    return refuse(where, 'a reference to a reusable action', 'Write the action out.');
  }
  if (typeof target !== 'string' || !target.startsWith('$')) {
    return refuse(`${where}/target`, 'no JSONPath', 'Write one that starts with `$`.');
  }
  if (typeof remove !== 'boolean')
    return refuse(`${where}/remove`, 'not true or false', 'Write true.');
  if (copy !== undefined && typeof copy !== 'string') {
    return refuse(`${where}/copy`, 'no JSONPath', 'Write one that starts with `$`.');
  }
  if (!remove && (update === undefined) === (copy === undefined)) {
    return refuse(where, 'says not which one thing to do', 'Give one of update, copy and remove.');
  }
  return {
    where,
    target,
    remove,
    ...(update !== undefined && { update }),
    ...(copy !== undefined && { copy }),
  };
};

/** Cost of changing one place, beside finding it. */
const STEPS_A_PLACE = 4;

interface Tools {
  readonly spend: Spend;
  /** Parses the value that an action adds, anew for each place. */
  readonly add: (text: string, where: string) => Json;
  readonly warnings: Warnings;
  /** What actions have added to lists of servers that had some. */
  readonly serverLists: Map<Json[], Set<Json>>;
}

/** @returns number of places matched */
const act = (root: Json, action: Action, tools: Tools): number => {
  const { spend, add, warnings } = tools;
  const { where, remove } = action;
  const places = refusing(`${where}/target`, () => {
    const found = placesOf(root, selectNodes(action.target, root, spend));
    spend(found.length * STEPS_A_PLACE);
    return found;
  });
  if (places.length === 0) return 0;
  if (remove) {
    refusing(`${where}/target`, () => removeAll(places, where, spend));
    return places.length;
  }
  const text = JSON.stringify(
    action.copy === undefined ? action.update : copied(root, action, spend),
  );
  const field = `${where}/${action.copy === undefined ? 'update' : 'copy'}`;
  const clashes = new Set<string>();
  const clash: Clash = (key, before, stays) => {
    if (clashes.has(key)) return;
    clashes.add(key);
    const what = stays
      ? 'is nothing, and stays as it is'
      : 'is replaced by a value of another kind';
    const hint = 'Remove it by an action of its own before, or give a value of its kind.';
    warnings.add(field, `${JSON.stringify(key)}, ${kindOf(before)}, ${what}`, hint);
  };
  for (const place of places) put(place, add(text, where), field, { clash, tools });
  return places.length;
};

/** Converts a PathFault to a refusal. @throws ApiRefusal */
const refusing = <Result>(where: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PathFault)) throw error;
    return refuse(where, error.message, 'Write a JSONPath of RFC 9535 that needs less.');
  }
};

const copied = (root: Json, { copy = '', where }: Action, spend: Spend): Json => {
  const [first, ...others] = refusing(`${where}/copy`, () => selectNodes(copy, root, spend));
  if (first && others.length === 0) return first.value as Json;
  const what = first ? `matches ${others.length + 1} places` : 'matches nothing';
  return refuse(`${where}/copy`, what, 'Let it match exactly one place.');
};

/** Distinct places, since a path may select one repeatedly. */
const placesOf = (root: Json, nodes: readonly JSONPathNode[]): readonly Place[] => {
  const seen = new Map<object | undefined, Set<string | number>>();
  return nodes.flatMap(({ location, value }) => {
    const key = location.at(-1) ?? '';
    const parent = location.length === 0 ? undefined : containerAt(root, location.slice(0, -1));
    const keys = seen.get(parent) ?? new Set();
    seen.set(parent, keys);
    if (keys.has(key)) return [];
    keys.add(key);
    return [{ ...(parent && { parent }), key, value: value as Json }];
  });
};

const containerAt = (root: Json, location: readonly (string | number)[]): Container => {
  let at = root as Container;
  for (const key of location) at = (at as Record<string | number, Json>)[key] as Container;
  return at;
};

/** Lists are rebuilt, so the cost is their length. */
const removeAll = (places: readonly Place[], where: string, spend: Spend): void => {
  for (const [parent, gone] of Map.groupBy(places, (place) => place.parent)) {
    if (!parent) refuse(where, 'the document itself cannot be removed', 'Name a part of it.');
    const keys = new Set(gone.map(({ key }) => key));
    if (Array.isArray(parent)) {
      spend(parent.length);
      const left = parent.filter((_, index) => !keys.has(index));
      parent.length = 0;
      for (const one of left) parent.push(one);
    } else {
      for (const key of keys) Reflect.deleteProperty(parent as object, key);
    }
  }
};

interface Merging {
  readonly clash: Clash;
  readonly tools: Pick<Tools, 'serverLists'>;
}

const put = (
  { parent, key, value }: Place,
  update: Json,
  where: string,
  merging: Merging,
): void => {
  if (Array.isArray(value)) {
    append(String(key), value as Json[], update, merging);
  } else if (isObject(value)) {
    if (!isObject(update)) refuse(where, 'not an object, as the target is', 'Give an object.');
    merge(value as Record<string, Json>, update as Record<string, Json>, merging);
  } else {
    (parent as Record<string | number, Json>)[key] = update;
  }
};

/** Appends the elements of a list, or any other value as one element. */
const append = (key: string, list: Json[], update: Json, { tools }: Merging): void => {
  const added = tools.serverLists.get(list) ?? new Set();
  for (const one of Array.isArray(update) ? (update as readonly Json[]) : [update]) {
    if (isObject(one) && typeof one['url'] === 'string') added.add(one);
    list.push(one);
  }
  if (key === 'servers' && added.size > 0) tools.serverLists.set(list, added);
};

/** Source: Overlay Specification 1.1, "Action Object", "recursively applying these steps". */
const merge = (
  target: Record<string, Json>,
  update: Record<string, Json>,
  merging: Merging,
): void => {
  for (const [key, value] of Object.entries(update)) {
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isObject(before) && isObject(value)) {
      merge(before as Record<string, Json>, value as Record<string, Json>, merging);
    } else if (Array.isArray(before) && Array.isArray(value))
      append(key, before as Json[], value as Json, merging);
    else {
      const differs = before !== undefined && kindOf(before) !== kindOf(value);
      const stays = differs && value === null;
      if (differs) merging.clash(key, before, stays);
      if (!stays) target[key] = value;
    }
  }
};

const kindOf = (value: Json): string =>
  isObject(value) ? 'an object' : Array.isArray(value) ? 'a list' : 'a plain value';
