import type { ComponentChildren } from 'preact';
import { Form, TextField } from './form.tsx';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Action } from '../state/action.ts';

interface ConfirmProps {
  readonly label: string;
  readonly action?: Action<[]>;
  /** Name of the object, for screen readers. */
  readonly of?: string;
  readonly title: string;
  readonly busy?: boolean;
  readonly typed?: string;
  readonly quiet?: boolean;
  readonly onConfirm?: () => void;
  readonly children: ComponentChildren;
}

export const Confirm = (props: ConfirmProps) => {
  const { label, action, of, title, busy = action?.running ?? false } = props;
  const { typed, quiet = false, onConfirm = () => void action?.run(), children } = props;
  const [isOpen, setOpen] = useState(false);
  const [given, setGiven] = useState('');
  const isRight = typed === undefined || sameText(given, typed);
  // A prefix of the right text is not a mistake yet.
  const isWrong = typed !== undefined && !sameText(given, typed.slice(0, given.trim().length));
  const close = () => {
    setOpen(false);
    setGiven('');
  };
  return (
    <>
      <Button
        kind={quiet ? 'quiet' : 'danger'}
        busy={busy}
        aria-label={of && `${label} ${of}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form
            onSubmit={() => {
              if (!isRight) return;
              close();
              onConfirm();
            }}
          >
            <p>{children}</p>
            {typed !== undefined && (
              <TextField
                label={<>Type {typed} to confirm</>}
                value={given}
                onValue={setGiven}
                fault={isWrong ? `This is not ${typed}. Nothing was done.` : undefined}
              />
            )}
            <div class="buttons">
              <Button kind="danger" submit disabled={!isRight}>
                {label}
              </Button>
              <Button onClick={close}>Cancel</Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
};

/** Compares without case and outer spaces, which phone keyboards change by themselves. */
const sameText = (given: string, wanted: string): boolean =>
  given.trim().toLowerCase() === wanted.toLowerCase();
