import type { DataFormat } from '../../lambdas/data-formats.ts';
import type { Stage } from '../stage/stage.ts';

export interface ReleaseRecord {
  /** Releases in order; the last one is synthesized. */
  readonly releases: readonly string[];
  readonly dataFormats: readonly DataFormat[];
}

/**
 * The release before goes on serving beside this one, and may have to take over again. Source: docs/releases.md, "A
 * change of stored data".
 * @throws Error for formats that it cannot read, with the release to deploy in between
 */
export const checkDataFormats = (
  { file, deployedRelease }: Pick<Stage, 'file' | 'deployedRelease'>,
  { releases, dataFormats }: ReleaseRecord,
): void => {
  const place = (release: string): number => releases.indexOf(release);
  if (deployedRelease !== undefined && place(deployedRelease) < 0) {
    throw new Error(
      `${file}: \`deployed_release\`: "${deployedRelease}" is none of ${releases.join(', ')}`,
    );
  }
  const former = deployedRelease ?? releases.at(-2);
  // No older release reads data of the first one.
  if (former === undefined) return;
  const faults = dataFormats
    .filter(
      ({ readSince, writtenSince }) =>
        writtenSince !== undefined && place(readSince) > place(former),
    )
    .map(({ number, what, readSince, writtenSince }) => {
      const between = releases.slice(place(readSince), place(writtenSince ?? '')).at(-1);
      const step =
        between === undefined
          ? 'no release reads it without writing it: write it with a later release'
          : `deploy ${between} first, which reads it and does not write it yet, and then say \`"deployed_release": "${between}"\``;
      return `${file}: ${releases.at(-1)} writes data of format ${number} (${what}), which ${former} cannot read; ${step}`;
    });
  if (faults.length > 0) throw new Error(faults.join('\n'));
};
