import type { ComponentChildren, JSX } from 'preact';
import { findingsAt, type Problem } from '../api/problem.ts';
import type { Action } from '../state/action.ts';
import { Button } from './button.tsx';

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'onSubmit'> {
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}

/** Fields that the browser checks first; what they hold is sent by the page, which stays. */
export const Form = ({ onSubmit, children, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {children}
  </form>
);

interface SaveButtonsProps {
  readonly saving: Action<[]>;
  readonly isChanged: boolean;
  readonly onUndo: () => void;
}

export const SaveButtons = ({ saving, isChanged, onUndo }: SaveButtonsProps) => (
  <div class="buttons">
    <Button kind="primary" submit busy={saving.running} disabled={!isChanged}>
      Save
    </Button>
    {isChanged && (
      <Button kind="quiet" onClick={onUndo}>
        Undo
      </Button>
    )}
  </div>
);

/**
 * Ties fields to a draft: each is given what it holds, how it is changed, and what is wrong with it.
 *
 * @param problem - how sending the draft failed
 */
export const fieldsOf =
  <Draft extends object>(
    draft: Draft,
    change: (part: Partial<Draft>) => void,
    problem: Problem | undefined,
  ) =>
  <Name extends keyof Draft & string>(
    name: Name,
    /** The field of the request, as findings name it. */
    pointer = `/${name}`,
  ) => ({
    value: draft[name],
    onValue: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
    faults: findingsAt(problem, pointer),
  });
