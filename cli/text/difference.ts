import { type Json, jsonOf, listOf, numberOf, textsOf, stringOf } from '../json.ts';
import { plain, plainOf } from './plain.ts';
import { cell } from './table.ts';
import { count, sentence } from './words.ts';

export const differenceLines = (deployment: Json): readonly string[] => {
  const [tools = '', ...lines] = changeLines(deployment.tools);
  return [`${cell(deployment.slug)} is at version ${cell(deployment.version)}. ${tools}`, ...lines];
};

/** Number of harmless changes shown; `--json` has all. */
const MOST_HARMLESS = 10;

/** Lines for a difference; what breaks callers comes first. */
export const changeLines = (given: unknown): readonly string[] => {
  const difference = jsonOf(given);
  const added = textsOf(difference.added).map((name) => `  + ${name}`);
  const removed = textsOf(difference.removed).map((name) => `  - ${name}`);
  const renamed = listOf(difference.renamed).map(
    ({ before, after }) => `  ~ ${stringOf(before)} is ${stringOf(after)} now (breaking)`,
  );
  const moved = listOf(difference.moved).map(
    ({ before, after }) => `Calls that went to ${plainOf(before)} go to ${plainOf(after)} now.`,
  );
  const { breaking = [], harmless = [] } = Object.groupBy(
    listOf(difference.changed),
    ({ breaking }) => (breaking === true ? 'breaking' : 'harmless'),
  );
  const more = numberOf(difference.changed_left_out) ?? 0;
  const left = Math.max(0, harmless.length - MOST_HARMLESS);
  const { before, after } = jsonOf(difference.mode);
  const lines = [
    ...removed,
    ...renamed,
    ...breaking.map(changeLine),
    ...added,
    ...harmless.slice(0, MOST_HARMLESS).map(changeLine),
  ].map(plain);
  const counts = [
    `${added.length} added`,
    `${removed.length} removed`,
    ...(renamed.length > 0 ? [`${renamed.length} renamed`] : []),
    `${breaking.length + harmless.length + more} changed`,
  ];
  return [
    lines.length === 0 ? 'The tools stay as they are.' : `Tools: ${counts.join(', ')}.`,
    ...moved,
    ...lines,
    ...(left === 0
      ? []
      : [`  and ${count(left, 'more tool')} changed without breaking calls (all with --json).`]),
    ...(more === 0 ? [] : [`  and ${count(more, 'tool')} more that differ.`]),
    ...(after === undefined ? [] : [`The tool mode was ${cell(before)} and is ${cell(after)}.`]),
    ...(difference.breaking === true ? ['Calls that worked before may fail now.'] : []),
  ];
};

const changeLine = ({ name, breaking, changes }: Json): string => {
  const mark = breaking === true ? ' (breaking)' : '';
  return `  ~ ${stringOf(name)}${mark}: ${textsOf(changes).map(sentence).join(' ')}`;
};
