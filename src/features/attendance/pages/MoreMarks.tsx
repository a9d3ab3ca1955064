import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Dialog, DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import type { RegisterChild, RegisterCode } from '../contract/register.ts';
import styles from './StudentAttendancePage.module.css';

interface Props {
  child: RegisterChild;
  codes: readonly RegisterCode[];
  chosen: RegisterCode | undefined;
  onChoose: (code: RegisterCode) => void;
  /** Notes a leave of the child, where the user may. */
  onLeave?: () => void;
  onClose: () => void;
}

/** Every code that this user may choose for a child. */
export function MoreMarks({ child, codes, chosen, onChoose, onLeave, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog ref={dialog} aria-label={child.name} className={styles.confirm} onClose={onClose}>
      <h2>{[child.rollNo, child.name].filter(Boolean).join(' ')}</h2>
      <Stack as="ul" gap={8} className={styles.codes}>
        {codes.map((code) => (
          <li key={code.id}>
            <Button
              aria-pressed={code.id === chosen?.id}
              onClick={() => {
                onChoose(code);
                dialog.current?.close();
              }}
            >
              <kbd>{code.key}</kbd> {code.name}
            </Button>
          </li>
        ))}
      </Stack>
      <DialogButtons>
        {onLeave && (
          <Button onClick={onLeave}>
            <Trans>Add leave…</Trans>
          </Button>
        )}
        <Button onClick={() => dialog.current?.close()}>
          <Trans>Cancel</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
