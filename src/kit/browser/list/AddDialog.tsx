import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { focusFirstField } from '#kit/browser/ui/focus.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint, OutputOf } from '#kit/contract/endpoint.ts';
import styles from './AddDialog.module.css';

interface Props<Operation extends Endpoint> {
  title: string;
  about?: string;
  endpoint: Operation;
  initial: Values;
  /** The fields that the next record starts with. */
  keeps: readonly string[];
  /** The fields that name the record. */
  nameFields: readonly string[];
  /** Opens the record from the message that it was added. */
  onOpen?: (answer: OutputOf<Operation>) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Adds a record in a panel beside its list, and then perhaps another one that has something in common with it. */
export function AddDialog<Operation extends Endpoint>(props: Props<Operation>) {
  const { title, about, endpoint, initial, keeps, nameFields, onOpen, onClose, children } = props;
  const { t } = useLingui();
  const toast = useToast();
  const isChanged = useRef(false);
  const isNext = useRef(false);
  const panel = useRef<HTMLDivElement>(null);
  const [start, setStart] = useState({ values: initial, added: '', take: 0 });
  useEffect(() => {
    if (start.take > 0) focusFirstField(panel.current);
  }, [start]);
  return (
    <SideDialog title={title} about={about} isChanged={isChanged} onClose={onClose}>
      {(close) => (
        <div ref={panel} className={styles.panel}>
          <p role="status" className={styles.added}>
            {start.added && <Trans>{start.added} was added. Enter the next one.</Trans>}
          </p>
          <ApiForm
            // The form begins again for each record.
            key={start.take}
            endpoint={endpoint}
            initial={start.values}
            label={title}
            onDone={(answer, input) => {
              const values = input as Values;
              const name = nameFields.map((field) => values[field]).join(' ');
              if (isNext.current) {
                const kept = Object.fromEntries(keeps.map((field) => [field, values[field]]));
                return setStart(({ take }) => ({ values: { ...initial, ...kept }, added: name, take: take + 1 }));
              }
              close();
              toast({
                kind: 'success',
                title: t`${name} was added.`,
                action: onOpen && { label: t`Open`, act: () => onOpen(answer) },
              });
            }}
            buttons={(isSending, hasChanged) => {
              isChanged.current = hasChanged;
              return (
                <FormButtons
                  isSending={isSending}
                  close={close}
                  words={<Trans>Add</Trans>}
                  onSubmit={() => {
                    isNext.current = false;
                  }}
                >
                  <Button
                    isBusy={isSending}
                    onClick={({ currentTarget }) => {
                      isNext.current = true;
                      currentTarget.form?.requestSubmit();
                    }}
                  >
                    <Trans>Save and add another</Trans>
                  </Button>
                </FormButtons>
              );
            }}
          >
            {children}
          </ApiForm>
        </div>
      )}
    </SideDialog>
  );
}
