import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Dialog, DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import type { Text } from '#kit/contract/text.ts';
import { type MessageHeading, messageApi } from '../contract/message.ts';
import { useFormEnd } from './use-form-end.ts';

interface Props {
  about: MessageHeading;
  onAnswer: (answer: Text | undefined) => void;
  onClose: () => void;
}

export function TellSchoolDialog({ about, onAnswer, onClose }: Props) {
  const { t } = useLingui();
  const { onRefused } = useFormEnd();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return createPortal(
    // Its events must not reach the form around its button.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing here is operated; events only end.
    <div onSubmit={(event) => event.stopPropagation()} onBlur={(event) => event.stopPropagation()} role="presentation">
      <Dialog ref={dialog} aria-label={t`Tell the school`} onClose={onClose}>
        <div data-problems />
        <ApiForm
          endpoint={messageApi.toSchool}
          initial={{ messageText: '' }}
          hiddenValues={{ about }}
          isShort
          onRefused={onRefused}
          onDone={({ text }) => {
            onAnswer(text);
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
  );
}
