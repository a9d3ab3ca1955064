import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Dialog, DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { messageApi } from '../contract/message.ts';
import styles from './TellSchool.module.css';
import { useFormEnd } from './use-form-end.ts';

/** "Something wrong here?" beside values that a parent cannot change. */
export function TellSchool({ about }: { about: string }) {
  const { t } = useLingui();
  const { onRefused } = useFormEnd();
  const dialog = useRef<HTMLDialogElement>(null);
  const [answer, setAnswer] = useState('');
  return (
    <>
      <Button kind="quiet" edge="start" onClick={() => dialog.current?.showModal()}>
        <Trans>Something wrong here? Tell the school</Trans>
      </Button>
      <p role="status" className={styles.answer}>
        {answer}
      </p>
      {createPortal(
        // Its events must not reach the form around its button.
        // biome-ignore lint/a11y/noStaticElementInteractions: nothing here is operated; events only end.
        <div
          onSubmit={(event) => event.stopPropagation()}
          onBlur={(event) => event.stopPropagation()}
          role="presentation"
        >
          <Dialog ref={dialog} aria-label={t`Tell the school`}>
            <div data-problems />
            <ApiForm
              endpoint={messageApi.toSchool}
              initial={{ messageText: '' }}
              hiddenValues={{ about }}
              isShort
              resetsAfterSend
              onRefused={onRefused}
              onDone={({ text }) => {
                setAnswer(text ? translate(text) : '');
                dialog.current?.close();
              }}
              buttons={(isSending) => (
                <DialogButtons>
                  <Button onClick={() => dialog.current?.close()}>
                    <Trans>Cancel</Trans>
                  </Button>
                  <Button type="submit" kind="main" isBusy={isSending}>
                    <Trans>Send to the school</Trans>
                  </Button>
                </DialogButtons>
              )}
            >
              <TextField name="messageText" long />
            </ApiForm>
          </Dialog>
        </div>,
        document.body,
      )}
    </>
  );
}
