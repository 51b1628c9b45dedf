import { keysOf } from '../../platform/rules/json/pointer.ts';
import { isContainer, isJson, skipBlanks, valueEnd } from './json-text.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export interface ChosenMembers {
  /** JSON text in which every value is written as the API sent it, to the digit. */
  readonly text: string;
  /** Pointers that match nothing in this answer. */
  readonly missing: readonly string[];
  readonly isEmpty: boolean;
}

/** A node in the tree of all pointers, by their keys. */
interface Step {
  readonly named: Map<string, Step>;
  /** Next node for `*`: every element, every member. */
  each?: Step;
  /** Pointers that pass this node or end in it. */
  readonly pointers: Set<string>;
  isEnd: boolean;
}

/**
 * Reduces a JSON answer to the members that pointers name. Lists and objects on the way to one are kept, with nothing
 * else in them.
 * @param pointers - JSON pointers (RFC 6901) in which `*` stands for every element or member
 * @returns undefined for what is not a list or object in JSON
 * Source: docs/tools.md, "Members of answers".
 */
export const chosenMembers = (
  text: string,
  pointers: readonly string[],
): ChosenMembers | undefined => {
  const start = skipBlanks(text, 0);
  if (!isContainer(text, start)) return undefined;
  const found = new Set<string>();
  const out: string[] = [];
  const copied = copyChosen({ text, found, out }, start, setOf([stepsOf(pointers)]));
  const chosen = out.join('');
  if (copied !== text.trimEnd().length || !isJson(chosen)) return undefined;
  const isEmpty = found.size === 0;
  return {
    text: isEmpty ? (text[start] === '[' ? '[]' : '{}') : chosen,
    missing: pointers.filter((pointer) => !found.has(pointer)),
    isEmpty,
  };
};

/** All steps that apply at one place of an answer, with sets cached by name: there may be a million elements. */
interface StepSet {
  readonly steps: readonly Step[];
  readonly isEnd: boolean;
  readonly names: ReadonlySet<string>;
  readonly next: Map<string, StepSet>;
  others?: StepSet;
  isFound: boolean;
}

const setOf = (steps: readonly Step[]): StepSet => ({
  steps,
  isEnd: steps.some(({ isEnd }) => isEnd),
  names: new Set(steps.flatMap(({ named }) => [...named.keys()])),
  next: new Map(),
  isFound: false,
});

const stepsOf = (pointers: readonly string[]): Step => {
  const aStep = (): Step => ({ named: new Map(), pointers: new Set(), isEnd: false });
  const root = aStep();
  for (const pointer of pointers) {
    let at = root;
    for (const key of keysOf(pointer)) {
      const next: Step = (key === '*' ? at.each : at.named.get(key)) ?? aStep();
      if (key === '*') at.each = next;
      else at.named.set(key, next);
      at = next;
      at.pointers.add(pointer);
    }
    at.isEnd = true;
  }
  return root;
};

interface Copying {
  readonly text: string;
  readonly found: Set<string>;
  readonly out: string[];
}

/** @returns index after the list or object that begins at `start`; -1 where it has no end */
const copyChosen = (copying: Copying, start: number, set: StepSet): number => {
  const { text, found, out } = copying;
  const isList = text[start] === '[';
  const close = isList ? ']' : '}';
  let isFirst = true;
  out.push(isList ? '[' : '{');
  let at = skipBlanks(text, start + 1);
  for (let index = 0; at < text.length && text[at] !== close; index += 1) {
    const nameEnd = isList ? at : valueEnd(text, at);
    const value = isList ? at : skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const inside =
      nameEnd < 0 ? NO_STEPS : nextSteps(set, isList ? String(index) : nameIn(text, at, nameEnd));
    const isWhole = inside.isEnd;
    const goesOn = !isWhole && inside.steps.length > 0 && isContainer(text, value);
    if (isWhole || goesOn) {
      if (!isFirst) out.push(',');
      isFirst = false;
      out.push(text.slice(at, value));
    }
    const end = goesOn ? copyChosen(copying, value, inside) : valueEnd(text, value);
    if (nameEnd < 0 || end <= value) return -1;
    if (isWhole) {
      if (!inside.isFound) {
        for (const { pointers } of inside.steps) for (const pointer of pointers) found.add(pointer);
      }
      inside.isFound = true;
      out.push(text.slice(value, end));
    }
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
    else if (text[at] !== close) return -1;
  }
  out.push(close);
  return text[at] === close ? at + 1 : -1;
};

const NO_STEPS = setOf([]);

const nextSteps = (set: StepSet, key: string): StepSet => {
  if (!set.names.has(key)) {
    set.others ??= setOf(set.steps.flatMap(({ each }) => each ?? []));
    return set.others;
  }
  const known = set.next.get(key);
  if (known) return known;
  const next = setOf(
    set.steps.flatMap(({ named, each }) => {
      const one = named.get(key);
      return [...(one ? [one] : []), ...(each ? [each] : [])];
    }),
  );
  set.next.set(key, next);
  return next;
};

const nameIn = (text: string, start: number, end: number): string => {
  const name = text.slice(start + 1, end - 1);
  if (!name.includes('\\')) return name;
  try {
    return parsedJson(`"${name}"`) as string;
  } catch {
    return name;
  }
};
