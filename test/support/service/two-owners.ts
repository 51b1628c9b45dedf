import { afterAll, beforeAll } from '@jest/globals';
import {
  aManagementService,
  type ManagementSettings,
  type Owner,
  type TestManagement,
} from './management.ts';

/** For all tests of a file, and two users of it who have nothing to do with each other. */
export let service: TestManagement;
export let owner: Owner;
export let stranger: Owner;

/** Starts the service before the first test of a file, and stops it after the last. */
export const serveTwoOwners = (settings?: ManagementSettings): void => {
  beforeAll(async () => {
    service = await aManagementService(settings);
    owner = await service.owner();
    stranger = await service.owner();
  });
  afterAll(() => service.stop());
};
