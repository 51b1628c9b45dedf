import type { Problem } from '../../../api/problem.ts';
import { sentence, TextArea } from '../../../kit/field.tsx';
import type { Server } from '../frame.tsx';

type Access = Server['access'];

/** What is typed, line by line; empty lines say nothing. */
const entriesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `@example.org` stands for the domain as well. */
const isDomain = (entry: string): boolean => entry.lastIndexOf('@') < 1;

/** The policy that the lines stand for: addresses and domains, each as it was typed. */
export const accessOf = (mode: Access['mode'], text: string) => {
  const entries = mode === 'allow_list' ? entriesOf(text) : [];
  return {
    mode,
    emails: entries.filter((entry) => !isDomain(entry)),
    domains: entries.filter(isDomain).map((entry) => entry.replace(/^@/, '')),
  };
};

interface AllowedProps {
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly problem: Problem | undefined;
  /** What the problem is of: the lines may have changed since. */
  readonly sent: Pick<ReturnType<typeof accessOf>, 'emails' | 'domains'> | undefined;
}

/** An allow list as lines, and under it what each of them means, or why it is refused. */
export const Allowed = ({ value, onValue, problem, sent }: AllowedProps) => {
  const entries = entriesOf(value);
  const faults = entries.map((entry) => faultOf(entry, problem, sent));
  const refused = faults.flatMap((fault, index) => (fault === undefined ? [] : [index + 1]));
  const whole = problem?.findings.find(({ where }) => where === '/access');
  return (
    <>
      <TextArea
        label="Addresses and domains"
        hint="One per line: ada@example.com, or example.org for everybody there."
        rows={4}
        value={value}
        onValue={onValue}
        fault={
          whole
            ? sentence(whole.what, whole.hint)
            : refused.length > 0
              ? `Refused: ${refused.map((line) => `line ${line}`).join(', ')}.`
              : undefined
        }
      />
      {entries.length > 0 && (
        <ol class="allowed" aria-label="What the lines mean">
          {entries.map((entry, index) => (
            <li key={index}>
              <code>{entry}</code>{' '}
              {faults[index] === undefined ? (
                <span class="soft">{meaningOf(entry)}</span>
              ) : (
                <span class="fault">{faults[index]}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
};

const meaningOf = (entry: string): string =>
  isDomain(entry)
    ? 'everybody with an address of this domain; not of its subdomains'
    : 'this address';

const faultOf = (
  entry: string,
  problem: Problem | undefined,
  sent: AllowedProps['sent'],
): string | undefined => {
  const list = isDomain(entry) ? 'domains' : 'emails';
  const text = list === 'domains' ? entry.replace(/^@/, '') : entry;
  const index = sent?.[list].indexOf(text) ?? -1;
  const found = problem?.findings.find(({ where }) => where === `/access/${list}/${index}`);
  return found && sentence(found.what, found.hint);
};
