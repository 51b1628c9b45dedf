import { ago, moment } from './words.ts';

export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>
    {ago(at, Date.now())}
  </time>
);

export const nowInSeconds = (): number => Date.now() / 1000;
