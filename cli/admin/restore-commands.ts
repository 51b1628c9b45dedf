import type { Command } from '../command.ts';
import { EXIT } from '../failure.ts';
import { listOf, textOf } from '../json.ts';
import { findingLine } from '../output.ts';
import { adminCommand } from './admin-command.ts';

const restoreCheck = adminCommand({
  name: 'restore-check',
  summary: 'Tells whether what is stored fits together, as after a restore',
  places: [],
  options: {},
  details: [
    'It changes nothing. It compares the rows of servers and owners with versions, files, resources,',
    'prompts and credentials, and ends with 1 if anything is missing.',
  ],
  run: async ({ operate, output }) => {
    const items: Record<string, unknown>[] = [];
    let after: string | undefined;
    do {
      const answer = await operate('restore-check', { after });
      items.push(...listOf(answer['items']));
      after = textOf(answer['next']);
    } while (after !== undefined);
    const findings = items.map(findingOf);
    output.result(
      { items: findings },
      findings.length === 0 ? ['All that is stored fits together.'] : findings.map(findingLine),
    );
    return findings.length === 0 ? EXIT.ok : EXIT.refused;
  },
});

const moveCredentials = adminCommand({
  name: 'move-credentials',
  summary: 'Moves credentials out of the store that the stage used before',
  places: [],
  options: {},
  details: [
    'For a stage with credential_store_former. Calls go on meanwhile; it may be run again, and ends with 1',
    'as long as anything is left.',
  ],
  run: async ({ operate, output }) => {
    let moved = 0;
    const items: Record<string, unknown>[] = [];
    let after: string | undefined;
    do {
      const answer = await operate('move-credentials', { after });
      moved += Number(answer['moved']);
      items.push(...listOf(answer['items']));
      after = textOf(answer['next']);
    } while (after !== undefined);
    const left = items.map(findingOf);
    output.result({ moved, items: left }, [
      `${moved} moved.`,
      ...left.map(findingLine),
      ...(left.length === 0
        ? ['Nothing is left in the store before: credential_store_former may go.']
        : []),
    ]);
    return left.length === 0 ? EXIT.ok : EXIT.refused;
  },
});

const findingOf = (one: Readonly<Record<string, unknown>>) => ({
  where: textOf(one['where']) ?? '',
  what: textOf(one['what']) ?? '',
  hint: textOf(one['hint']) ?? '',
});

export const adminRestoreCommands: readonly Command[] = [restoreCheck, moveCredentials];
