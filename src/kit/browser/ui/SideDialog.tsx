import { Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { focusFirstField } from './focus.ts';
import { IconButton } from './IconButton.tsx';
import { Notice } from './Notice.tsx';
import styles from './SideDialog.module.css';

interface Props {
  title: string;
  /** One line below the title. */
  about?: string;
  onClose: () => void;
  /** Whether something was entered that closing would lose. */
  isChanged?: RefObject<boolean>;
  children: (close: () => void) => ReactNode;
}

/** A panel at the side, over the page it belongs to; its first field has the focus. Escape closes it, unless something was entered: then it asks first. */
export function SideDialog({ title, about, onClose, isChanged, children }: Props) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    // What has no field is read from its title on.
    if (!focusFirstField(dialog.current)) dialog.current?.focus();
  }, []);
  const close = () => dialog.current?.close();
  const leave = () => (isChanged?.current ? setAsking(true) : close());
  return (
    <dialog
      ref={dialog}
      className={`dialog dialog-form dialog-side ${styles.side}`}
      aria-label={title}
      tabIndex={-1}
      // React tells it of a question inside that is closed too.
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
      onKeyDown={(event) => {
        // From a box for a date Chromium cancels twice, and the second time nothing can be asked any more.
        const { key, target, currentTarget } = event;
        if (key !== 'Escape' || (target as Element).closest('dialog') !== currentTarget) return;
        event.preventDefault();
        leave();
      }}
      onCancel={(event) => {
        // A list of choices inside has its own Escape.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
    >
      <div className={styles.head}>
        <h2>{title}</h2>
        <IconButton label={t`Close`} onClick={leave}>
          <IconX size={20} aria-hidden />
        </IconButton>
      </div>
      {about && <p className="soft">{about}</p>}
      {isAsking && (
        <Notice as="div" role="alert">
          <p>
            <Trans>What you entered is not saved.</Trans>
          </p>
          <div className="summary-buttons">
            <Button onClick={() => setAsking(false)}>
              <Trans>Keep editing</Trans>
            </Button>
            <Button onClick={close}>
              <Trans>Leave without saving</Trans>
            </Button>
          </div>
        </Notice>
      )}
      <div data-problems />
      {children(close)}
    </dialog>
  );
}
