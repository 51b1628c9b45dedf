import { type Json, jsonOf, listOf, numberOf, textsOf, stringOf } from '../json.ts';
import { plain } from './plain.ts';
import { cell } from './table.ts';
import { count, sentence } from './words.ts';

export const differenceLines = (deployment: Json): readonly string[] => {
  const [tools = '', ...lines] = changeLines(deployment.tools);
  return [`${cell(deployment.slug)} is at version ${cell(deployment.version)}. ${tools}`, ...lines];
};

/** The same of a difference alone. */
export const changeLines = (given: unknown): readonly string[] => {
  const difference = jsonOf(given);
  const added = textsOf(difference.added).map((name) => `  + ${name}`);
  const removed = textsOf(difference.removed).map((name) => `  - ${name}`);
  const { breaking = [], harmless = [] } = Object.groupBy(
    listOf(difference.changed),
    ({ breaking }) => (breaking === true ? 'breaking' : 'harmless'),
  );
  const changed = breaking.length + harmless.length;
  const more = numberOf(difference.changed_left_out) ?? 0;
  const { before, after } = jsonOf(difference.mode);
  // What breaks a caller comes first.
  const lines = [
    ...removed,
    ...breaking.map(changeLine),
    ...added,
    ...harmless.map(changeLine),
  ].map(plain);
  const counts = `${added.length} added, ${removed.length} removed, ${changed + more} changed`;
  return [
    lines.length === 0 ? 'The tools stay as they are.' : `Tools: ${counts}.`,
    ...lines,
    ...(more === 0 ? [] : [`  and ${count(more, 'tool')} more that differ.`]),
    ...(after === undefined ? [] : [`The tool mode was ${cell(before)} and is ${cell(after)}.`]),
    ...(difference.breaking === true ? ['Calls that worked before may fail now.'] : []),
  ];
};

const changeLine = ({ name, breaking, changes }: Json): string => {
  const mark = breaking === true ? ' (breaking)' : '';
  return `  ~ ${stringOf(name)}${mark}: ${textsOf(changes).map(sentence).join(' ')}`;
};
