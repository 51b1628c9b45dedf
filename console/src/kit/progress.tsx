import { useEffect, useState } from 'preact/hooks';

const TOLD_FROM_SECONDS = 2;

/** Something that takes its time: what it is, that it goes on, and for how long it has. */
export const Progress = ({ what }: { readonly what: string }) => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [what]);
  return (
    <div class="progress" role="status">
      <span>
        {what}
        {seconds >= TOLD_FROM_SECONDS && <span class="soft"> {seconds} s</span>}
      </span>
      <i aria-hidden="true" />
    </div>
  );
};
