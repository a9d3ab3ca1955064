import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApiForm } from '#kit/browser/ApiForm.tsx';
import { Row, TickField } from '#kit/browser/choices.tsx';
import { TextField } from '#kit/browser/fields.tsx';
import { queryClient } from '#kit/browser/read.ts';
import { said } from '#kit/browser/text.ts';
import { type PermissionSet, permissionSets, setWords } from '../contract/access.ts';

/** Reads accounts and the requests for them anew. */
export const refreshAccounts = () =>
  Promise.all(['account', 'account-request'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));

/** Role, username and permission sets. */
export function Rights() {
  const { values, change } = useApiForm();
  const held = values.sets as PermissionSet[];
  return (
    <>
      <TickField name="isStaff" />
      {values.isStaff === true && (
        <fieldset className="question many">
          <legend>
            <Trans>May act as</Trans>
          </legend>
          <div className="rows">
            {permissionSets.map((set) => (
              <Row
                key={set}
                type="checkbox"
                id={`set-${set}`}
                label={said(setWords[set].name)}
                hint={said(setWords[set].opens)}
                checked={held.includes(set)}
                onChange={(isHeld) => change('sets', isHeld ? [...held, set] : held.filter((one) => one !== set))}
              />
            ))}
          </div>
        </fieldset>
      )}
      <TickField name="isAdmin" />
      <TextField name="userName" autoComplete="off" required={values.isAdmin === true} />
    </>
  );
}

interface FormButtonsProps {
  isSending: boolean;
  close: () => void;
  words: ReactNode;
}

export const FormButtons = ({ isSending, close, words }: FormButtonsProps) => (
  <div className="dialog-buttons">
    <button type="button" className="button" onClick={close}>
      <Trans>Cancel</Trans>
    </button>
    <button type="submit" className="button button-main" aria-disabled={isSending}>
      {words}
    </button>
  </div>
);

interface FormDialogProps {
  title: string;
  label: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog; the form is made anew each time. */
export function FormDialog({ title, label, children }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <>
      <button type="button" className="quiet-button" aria-label={title} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <dialog ref={dialog} className="dialog dialog-form" aria-label={title} onClose={() => setOpen(false)}>
          <h2>{title}</h2>
          <div data-problems />
          {children(() => dialog.current?.close())}
        </dialog>
      )}
    </>
  );
}
