import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Dialog, DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { Grid } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { RegisterSheet } from '../contract/register.ts';
import styles from './StudentAttendancePage.module.css';
import { isMarked, type Register } from './use-register.ts';

interface Props {
  sheet: RegisterSheet;
  register: Register;
  onClose: () => void;
}

/** The children who are not simply present, before the register is submitted. Enter submits. */
export function SubmitDialog({ sheet, register, onClose }: Props) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    submit.current?.focus();
  }, []);
  const children = register.children.filter(isMarked);
  const others = children.filter((child) => register.codeOf(child)?.kind !== 'Present');
  const present = children.length - others.length;
  const section = sheet.section?.name ?? '';
  const day = [showDate(sheet.day), ...(sheet.slot === 'Full day' ? [] : [translateOption(sheet.slot)])].join(', ');
  return (
    <Dialog ref={dialog} aria-label={t`Submit the register`} className={styles.confirm} onClose={onClose}>
      <h2>{t`Submit ${section}, ${day}?`}</h2>
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map((child) => (
            <Grid py={6} line="below" as="li" gap={10} key={child.studentId}>
              <span className={styles.number}>{child.rollNo}</span>
              <span>{child.name}</span>
              <strong data-kind={register.codeOf(child)?.kind}>
                {[register.codeOf(child)?.name, register.markOf(child).arrivedAt].filter(Boolean).join(', ')}
              </strong>
            </Grid>
          ))}
        </ul>
      )}
      <p>
        {others.length === 0 ? (
          <Trans>All students are present.</Trans>
        ) : (
          <Plural value={present} one="# other student is present." other="# other students are present." />
        )}
      </p>
      <DialogButtons>
        <Button onClick={() => dialog.current?.close()}>
          <Trans>Back</Trans>
        </Button>
        <Button
          ref={submit}
          kind="main"
          onClick={() => {
            register.submit();
            dialog.current?.close();
          }}
        >
          <Trans>Submit register</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
