import { useEffect, useState } from 'preact/hooks';

const TOLD_FROM_SECONDS = 2;

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
