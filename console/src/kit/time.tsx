import { ago, moment } from './words.ts';

/** When something was, as people say it; exactly for whoever points at it. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>
    {ago(at, Date.now())}
  </time>
);

/** The present moment, in seconds. */
export const nowInSeconds = (): number => Date.now() / 1000;
