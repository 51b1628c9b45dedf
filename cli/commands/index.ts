import { adminAccountCommands } from '../admin/account-commands.ts';
import { adminCheckProviderCommands } from '../admin/check-provider-commands.ts';
import { adminNewProviderCommand } from '../admin/new-provider-commands.ts';
import { adminLinkCommand } from '../admin/link-commands.ts';
import { adminTransferCommands } from '../admin/transfer-commands.ts';
import { adminPasswordCommands } from '../admin/password-commands.ts';
import { adminProviderCommands } from '../admin/provider-commands.ts';
import { adminIncidentCommands } from '../admin/incident-commands.ts';
import { adminMaintenanceCommands } from '../admin/maintenance-commands.ts';
import { adminPersonCommands } from '../admin/person-commands.ts';
import { adminServiceCommands } from '../admin/service-commands.ts';
import type { Command } from '../command.ts';
import { smokeCommand } from '../smoke/smoke-command.ts';
import { accessCommands } from './access.ts';
import { accountCommands } from './account.ts';
import { completeCommand } from './complete.ts';
import { completionCommand } from './completion.ts';
import { caseCommand } from './cases.ts';
import { checkCommands } from './check.ts';
import { connectCommands, openCommand } from './connect.ts';
import { promptCommands, resourceCommands } from './contents.ts';
import { credentialCommands } from './credentials.ts';
import { declareCommands } from './declare.ts';
import { deployCommands } from './deploy.ts';
import { devCommand } from './dev.ts';
import { deploymentCommands } from './deployments.ts';
import { evalCommand } from './eval.ts';
import { galleryCommands } from './gallery.ts';
import { profileCommands } from './profiles.ts';
import { programCommands } from './programs.ts';
import { recordingCommands } from './recordings.ts';
import { toolOverrideCommands } from './tool-overrides.ts';
import { toolCommands } from './tools.ts';
import { watchCommands } from './watch.ts';

/** All commands; the help groups them by their first word, in this order. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...programCommands,
  openCommand,
  ...checkCommands,
  ...deployCommands,
  devCommand,
  ...declareCommands,
  ...galleryCommands,
  ...deploymentCommands,
  ...toolCommands,
  ...toolOverrideCommands,
  ...resourceCommands,
  ...promptCommands,
  ...credentialCommands,
  ...accessCommands,
  ...connectCommands,
  ...watchCommands,
  ...recordingCommands,
  caseCommand,
  evalCommand,
  smokeCommand,
  ...adminAccountCommands,
  adminNewProviderCommand,
  ...adminProviderCommands,
  ...adminCheckProviderCommands,
  ...adminPasswordCommands,
  adminLinkCommand,
  ...adminTransferCommands,
  ...adminServiceCommands,
  ...adminPersonCommands,
  ...adminMaintenanceCommands,
  ...adminIncidentCommands,
  ...profileCommands,
  completionCommand(() => COMMANDS),
  completeCommand(() => COMMANDS),
];
