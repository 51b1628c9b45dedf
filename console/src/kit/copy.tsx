import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 1600;

/** Copies a text. What it says changes for a moment, its width does not. */
export const Copy = ({
  text,
  what,
}: {
  readonly text: string;
  /** For those who do not see what stands beside it. */
  readonly what: string;
}) => {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const shown = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Select it' : 'Copy';
  return (
    <button
      type="button"
      class="copy"
      aria-label={`${shown}: ${what}`}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setOutcome('copied'),
          () => setOutcome('failed'),
        );
      }}
    >
      <span aria-live="polite">{shown}</span>
    </button>
  );
};

/** A sentence of the service, in which code stands between backticks. */
export const Coded = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

/** Text to be taken elsewhere. */
export const CodeBlock = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="code-block">
    <pre tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
    <Copy text={text} what={label} />
  </div>
);

/** What does the same on the command line. */
export const Command = ({ lines }: { readonly lines: string | readonly string[] }) => (
  <details class="command">
    <summary>The same on the command line</summary>
    <CodeBlock text={[lines].flat().join('\n')} label="command line" />
  </details>
);

/** A word as a shell takes it. */
export const quoted = (text: string): string =>
  /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
