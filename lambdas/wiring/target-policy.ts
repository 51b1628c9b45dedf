import type { TargetPolicy } from '../../layers/target/rules/target.ts';

interface OwnPlace {
  readonly BASE_URL: string;
  readonly DESCRIPTIONS_BUCKET: string;
  readonly ANSWERS_BUCKET: string;
}

/** Requests never go to the service itself. A local run shares its host with other APIs, told apart by port. */
export const targetPolicy = (
  targets: TargetPolicy,
  { BASE_URL, DESCRIPTIONS_BUCKET, ANSWERS_BUCKET }: OwnPlace,
): TargetPolicy => {
  const { hostname } = new URL(BASE_URL);
  const hosts = targets.loopback ? [] : [hostname];
  return { ...targets, own: { hosts, buckets: [DESCRIPTIONS_BUCKET, ANSWERS_BUCKET] } };
};
