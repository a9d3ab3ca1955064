import { Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { holdFirstField } from './focus.ts';
import { IconButton } from './IconButton.tsx';
import { keepFocus } from './keep-focus.ts';
import { Row } from './Layout.tsx';
import { Notice } from './Notice.tsx';
import styles from './SideDialog.module.css';
import { UnsavedContext } from './unsaved.tsx';
import { WideDialog } from './WideDialog.tsx';

/** The panels that are open, the topmost last. */
const panels: HTMLDialogElement[] = [];

interface Props {
  title: string;
  /** One line below the title. */
  about?: string;
  /** It takes the whole window. */
  isWhole?: boolean;
  /** The address of the page opens it: Back leaves that address, and asks first only with unsaved changes. */
  isInAddress?: boolean;
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}

/** A panel at the side of its page; its first field has the focus. Escape closes it; with unsaved changes it asks first. */
export function SideDialog({ title, about, isWhole = false, isInAddress = false, onClose, children }: Props) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const unsaved = useRef(new Set<string>());
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    const panel = dialog.current;
    if (!panel) return undefined;
    panel.showModal();
    panels.push(panel);
    const letGo = holdFirstField(panel);
    return () => {
      letGo();
      panels.splice(panels.indexOf(panel), 1);
      keepFocus(document.activeElement);
    };
  }, []);
  const close = () => dialog.current?.close();
  const left = useRef<Element>(null);
  const [question] = useState(() => (notice: HTMLElement | null) => {
    if (!notice) return;
    left.current = document.activeElement;
    notice.querySelector('button')?.focus();
  });
  // Only Back and Forward, which close it: nothing else of the page can be reached, and a saved form may lead elsewhere.
  const leaving = useBlocker({
    shouldBlockFn: ({ action }) =>
      action !== 'PUSH' &&
      action !== 'REPLACE' &&
      panels.at(-1) === dialog.current &&
      (!isInAddress || unsaved.current.size > 0),
    enableBeforeUnload: () => unsaved.current.size > 0,
    withResolver: true,
  });
  const isHeld = leaving.status === 'blocked';
  const isLeaving = isHeld && unsaved.current.size > 0;
  useEffect(() => {
    if (!isHeld || unsaved.current.size > 0) return;
    // It closes once the router is back at its address: a page may change that when a panel closes.
    window.addEventListener('popstate', () => dialog.current?.close(), { once: true });
    leaving.reset?.();
  }, [isHeld, leaving.reset]);
  const leave = () => {
    if (unsaved.current.size === 0) return close();
    setAsking(true);
  };
  const stay = () => {
    leaving.reset?.();
    setAsking(false);
    (left.current as HTMLElement | null)?.focus();
  };
  return (
    <WideDialog
      ref={dialog}
      isAtSide
      isWhole={isWhole}
      aria-label={title}
      tabIndex={-1}
      // React also delivers the close event of a question inside.
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
      onKeyDown={(event) => {
        // After a date box Chromium cancels twice, and the second time cannot be prevented.
        const { key, target, currentTarget } = event;
        if (key !== 'Escape' || (target as Element).closest('dialog') !== currentTarget) return;
        event.preventDefault();
        leave();
      }}
      onCancel={(event) => {
        // A list of choices inside handles Escape itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
    >
      <Row gap={12} align="start" justify="between" className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <IconButton label={t`Close`} onClick={leave}>
          <IconX size={20} aria-hidden />
        </IconButton>
      </Row>
      {about && <p className="soft">{about}</p>}
      {(isAsking || isLeaving) && (
        <Notice as="div" role="alert" ref={question} data-question>
          <p>
            <Trans>Your changes are not saved.</Trans>
          </p>
          <div className="summary-buttons">
            <Button onClick={stay}>
              <Trans>Keep editing</Trans>
            </Button>
            <Button onClick={isLeaving ? leaving.proceed : close}>
              <Trans>Leave without saving</Trans>
            </Button>
          </div>
        </Notice>
      )}
      <div data-problems />
      <UnsavedContext value={unsaved}>{children(close)}</UnsavedContext>
    </WideDialog>
  );
}
