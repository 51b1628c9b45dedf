import type { Operation } from '../../openapi/tool-index.ts';
import { overrideOf } from './apply-overrides.ts';
import type { PublicationSettings } from './publication.ts';

/**
 * Tells of each operation whether its tool is to have structured output.
 *
 * @returns undefined where none is, so that nothing has to be looked for
 *
 * Source: docs/tools.md, "Structured output".
 */
export const structuredTools = (
  publication: PublicationSettings,
): ((operation: Operation) => boolean) | undefined => {
  const { overrides = {} } = publication;
  const isOn = publication.structuredOutput === 'on';
  if (!isOn && !Object.values(overrides).some(({ structuredOutput: one }) => one === 'on')) {
    return undefined;
  }
  return (operation) => {
    const choice = overrideOf({ operation }, overrides)?.override.structuredOutput;
    return choice === undefined ? isOn : choice === 'on';
  };
};
