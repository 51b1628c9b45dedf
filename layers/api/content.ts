import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';
import * as z from 'zod';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What resources and prompts are known by, also in paths: no character of it is ever encoded. */
export const contentName = z
  .string()
  .regex(NAME, 'Choose 1 to 64 letters, digits, dots, dashes or underscores, no mark first.');
/** Texts that are shown hold no control characters, so that they command no terminal; long ones have lines. */
export const title = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'Leave control characters out.');
export const description = z
  .string()
  .min(1)
  .max(2000)
  .regex(/^(?:[^\p{Cc}]|[\n\t])*$/u, 'Leave control characters out, but for line breaks.');

/** What an argument or a variable can be completed with; how many there may be, limits say. */
export const values = z
  .array(
    z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'Leave control characters out.'),
  )
  .max(100_000)
  .meta({ description: 'What clients offer while somebody types.' });

/** What stands for it in lists. */
export const valueCount = z.int().meta({ description: 'How many values there are.' });

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
