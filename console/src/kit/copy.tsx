import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 1600;

export const Copy = ({
  text,
  what,
}: {
  readonly text: string;
  /** Name of the text, for screen readers. */
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

/** A sentence with its backticks shown as code. */
export const Coded = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

export const CodeBlock = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="code-block">
    <pre tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
    <Copy text={text} what={label} />
  </div>
);

export const Command = ({ lines }: { readonly lines: string | readonly string[] }) => (
  <details class="command">
    <summary>The same on the command line</summary>
    <CodeBlock text={[lines].flat().join('\n')} label="command line" />
  </details>
);

/** Quotes a word for a POSIX shell. */
export const quoted = (text: string): string =>
  /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
