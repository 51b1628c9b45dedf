import { readdirSync } from 'node:fs';

/** Descriptions of real APIs that are part of this repository. Source: test/fixtures/descriptions/README.md. */
export const FIXTURE_DESCRIPTIONS = new URL('../../fixtures/descriptions/', import.meta.url);

export const fixtureDescriptions: readonly string[] = readdirSync(FIXTURE_DESCRIPTIONS).filter(
  (name) => /\.(json|ya?ml)$/.test(name),
);
