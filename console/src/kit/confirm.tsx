import type { ComponentChildren } from 'preact';
import { Form, TextField } from './form.tsx';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Action } from '../state/action.ts';

interface ConfirmProps {
  /** On the button, and on that in the question. */
  readonly label: string;
  readonly action?: Action<[]>;
  /** What it is done to, for those who do not see what stands beside it. */
  readonly of?: string;
  readonly title: string;
  readonly busy?: boolean;
  /** Has to be typed first, where nothing brings it back. */
  readonly typed?: string;
  readonly quiet?: boolean;
  readonly onConfirm?: () => void;
  /** What it means. */
  readonly children: ComponentChildren;
}

/** A button for what cannot be taken back: it asks first, and says what will be. */
export const Confirm = (props: ConfirmProps) => {
  const { label, action, of, title, busy = action?.running ?? false } = props;
  const { typed, quiet = false, onConfirm = () => void action?.run(), children } = props;
  const [isOpen, setOpen] = useState(false);
  const [given, setGiven] = useState('');
  const isRight = typed === undefined || sameText(given, typed);
  // Nothing is wrong yet with what may become it.
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

/** But for spaces around it and the case of letters, which a keyboard of a phone changes by itself. */
const sameText = (given: string, wanted: string): boolean =>
  given.trim().toLowerCase() === wanted.toLowerCase();
