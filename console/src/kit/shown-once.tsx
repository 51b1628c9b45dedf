import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { CodeBlock } from './copy.tsx';
import { Note } from './show.tsx';

interface ShownOnceProps {
  readonly text: string;
  readonly label: string;
  readonly children?: ComponentChildren;
  onDone(): void;
}

export const ShownOnce = ({ text, label, children, onDone }: ShownOnceProps) => (
  <Note kind="good">
    <p>
      <strong>Copy it now: it is shown this once.</strong>
    </p>
    <CodeBlock text={text} label={label} />
    {children}
    <Button onClick={onDone}>Done</Button>
  </Note>
);
