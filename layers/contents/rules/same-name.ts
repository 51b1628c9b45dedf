import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

/**
 * What bears a name keeps it.
 *
 * @throws ApiRefusal invalid_request
 */
export const checkSameName = (name: string, sent: string | undefined): void => {
  if (sent === undefined || sent === name) return;
  throw new ApiRefusal('invalid_request', 'A name cannot be changed.', [
    {
      where: '/name',
      what: 'another name than that of the path',
      hint: 'Leave it out, or add a new one under this name and remove the old one.',
    },
  ]);
};
