import { ago, moment } from './words.ts';

/** A relative time, with the exact one as its title. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>
    {ago(at, Date.now())}
  </time>
);

export const nowInSeconds = (): number => Date.now() / 1000;
