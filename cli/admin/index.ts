import type { Command } from '../command.ts';
import { adminAccountCommands } from './account-commands.ts';
import { adminIdentityCommands } from './identity-commands.ts';
import { adminIncidentCommands } from './incident-commands.ts';
import { adminPersonCommands } from './person-commands.ts';
import { adminRedriveCommands } from './redrive-commands.ts';
import { adminRestoreCommands } from './restore-commands.ts';
import { adminServiceCommands } from './service-commands.ts';

/** What operators may do with a service, on AWS or on this machine. */
export const adminCommands: readonly Command[] = [
  ...adminAccountCommands,
  ...adminIdentityCommands,
  ...adminServiceCommands,
  ...adminPersonCommands,
  ...adminRedriveCommands,
  ...adminRestoreCommands,
  ...adminIncidentCommands,
];
