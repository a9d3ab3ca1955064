import { Trans, useLingui } from '@lingui/react/macro';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { differencesOf, type SavedVersion, typedOf } from '#kit/browser/record/versions.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { focusFirstField } from '#kit/browser/ui/focus.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { type Difference, TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { type ToastAction, useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import type { AppError } from '#kit/contract/errors.ts';
import type { Fields } from '#kit/contract/field.ts';
import { ApiForm } from './ApiForm.tsx';
import type { Values } from './form-context.ts';
import styles from './RecordForm.module.css';

/** The version of a record that another user saved while its form was open. */
export interface Newer {
  values: Values;
  /** Sent in place of the form's own values, whichever version is chosen. */
  hiddenValues: Values;
  differences: Difference[];
}

interface Next {
  /** The fields that the next record starts with. */
  keeps: readonly string[];
  /** The fields that name the record. */
  nameFields: readonly string[];
}

interface Props<Operation extends Endpoint>
  extends Pick<
    ComponentProps<typeof ApiForm<Operation>>,
    'endpoint' | 'initial' | 'hiddenValues' | 'validate' | 'elsewhere'
  > {
  title: string;
  /** One line below the title. */
  about?: string;
  /** The words of the main button: "Save", or "Add" where another record may follow. */
  words?: ReactNode;
  /** The record's fields: of two versions the user chooses one. */
  fields?: Fields;
  /** What is sent of the saved version, whichever is chosen, besides its version. */
  hiddenOf?: (saved: Values) => Values;
  /** Reads the newer version where the form has more than fields. */
  newerOf?: (data: NonNullable<AppError['data']>, mine: Values) => Newer;
  /** Enters records one after the other. */
  next?: Next;
  /** What the message says once it is saved: "Saved." by default, nothing for null. */
  saved?: string | null | ((input: Values, answer: OutputOf<Operation>, usual: string) => string);
  /** What the message is about, where that is not the record or page that is open. */
  of?: string;
  /** What the message offers to do. */
  actions?: (answer: OutputOf<Operation>) => readonly ToastAction[];
  /** Called once the dialog is closed. */
  onDone?: (answer: OutputOf<Operation>, input: InputOf<Operation>) => unknown;
  /** Work that ends before the panel closes, such as files that are sent after the record. */
  onSaved?: (answer: OutputOf<Operation>) => Promise<void>;
  /** Whether its main button waits, such as for photos that are made smaller. */
  isHeld?: boolean;
  /** Called for a newer version where there is nothing to choose. */
  onStale?: () => void;
  /** What is said above the form. */
  notice?: ReactNode;
  /** Buttons besides the usual buttons, and the text above them, such as the state of an upload. */
  buttons?: ReactNode;
  status?: ReactNode;
  onClose: () => void;
  children: ReactNode | ((close: () => void) => ReactNode);
}

/**
 * A form in a panel beside its page. It closes once it is saved, and asks before closing with changes. A user who saves
 * second chooses between both versions, and loses nothing.
 */
export function RecordForm<Operation extends Endpoint>(props: Props<Operation>) {
  const { title, about, endpoint, initial, hiddenValues = {}, validate, fields, next, onClose, children } = props;
  const { words = next ? <Trans>Add</Trans> : <Trans>Save</Trans> } = props;
  const { t } = useLingui();
  const toast = useToast();
  const panel = useRef<HTMLDivElement>(null);
  const isNext = useRef(false);
  const [start, setStart] = useState({ values: initial, hiddenValues: {}, added: '', isUnsaved: false, take: 0 });
  const [newer, setNewer] = useState<Newer & { mine: Values }>();
  useEffect(() => {
    if (start.take > 0) focusFirstField(panel.current);
  }, [start.take]);
  const begin = (values: Values, more: { hiddenValues?: Values; added?: string; isUnsaved?: boolean }) =>
    setStart(({ take }) => ({ values, hiddenValues: {}, added: '', isUnsaved: false, ...more, take: take + 1 }));
  const choose = (values: Values, chosen: Newer) => {
    begin(values, { hiddenValues: chosen.hiddenValues, isUnsaved: true });
    setNewer(undefined);
  };
  const byFields = (all: Fields, data: NonNullable<AppError['data']>, mine: Values): Newer => {
    const saved = data as unknown as SavedVersion;
    const hidden = props.hiddenOf?.(saved.saved);
    return {
      values: typedOf(all, saved.saved),
      hiddenValues: { version: saved.version, ...hidden },
      // An own choice from a list is only an id in the form.
      differences: differencesOf(all, saved, { ...mine, ...hidden }, t`As chosen below`),
    };
  };
  const newerOf = props.newerOf ?? (fields && ((data, mine) => byFields(fields, data, mine)));
  const finish = async (close: () => void, answer: OutputOf<Operation>, input: InputOf<Operation>) => {
    if (props.onSaved) await props.onSaved(answer);
    const values = input as Values;
    const name = next?.nameFields.map((field) => values[field]).join(' ') ?? '';
    const added = name ? t`${name} was added.` : t`Added.`;
    const { saved = next ? added : t`Saved.` } = props;
    const title = typeof saved === 'function' ? saved(values, answer, next ? added : t`Saved.`) : saved;
    if (next && isNext.current) {
      const kept = Object.fromEntries(next.keeps.map((field) => [field, values[field]]));
      return begin({ ...initial, ...kept }, { added: title ?? added });
    }
    close();
    if (title !== null) toast({ kind: 'success', title, of: props.of, actions: props.actions?.(answer) });
    return props.onDone?.(answer, input);
  };
  return (
    <SideDialog title={title} about={about} onClose={onClose}>
      {(close) => (
        <div
          ref={panel}
          className={styles.panel}
          onKeyDownCapture={(event) => {
            // Ctrl+Enter alone saves, in every form.
            if (!next || event.key !== 'Enter' || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.stopPropagation();
            panel.current?.querySelector<HTMLButtonElement>('button[aria-keyshortcuts]')?.click();
          }}
        >
          {next && (
            <p role="status" className={styles.added}>
              {start.added && <Trans>{start.added} Enter the next one.</Trans>}
            </p>
          )}
          {props.notice}
          {newer && (
            <TwoVersions
              differences={newer.differences}
              onSaved={() => choose(newer.values, newer)}
              onMine={() => choose(newer.mine, newer)}
            />
          )}
          {/* A version chosen after a conflict is not saved either. */}
          {start.isUnsaved && <Unsaved />}
          <ApiForm
            // The form begins again with the next record, and with the version that is chosen.
            key={start.take}
            endpoint={endpoint}
            label={title}
            initial={start.values}
            hiddenValues={{ ...hiddenValues, ...start.hiddenValues }}
            validate={validate}
            elsewhere={props.elsewhere}
            onStale={newerOf ? ({ data }, mine) => setNewer({ ...newerOf(data ?? {}, mine), mine }) : props.onStale}
            onDone={(answer, input) => finish(close, answer, input)}
            buttons={(isSending) => (
              <>
                {props.status}
                <FormButtons
                  isSending={isSending || Boolean(props.isHeld)}
                  close={close}
                  words={words}
                  onSubmit={() => {
                    isNext.current = false;
                  }}
                >
                  {props.buttons}
                  {next && (
                    <Button
                      isBusy={isSending}
                      aria-keyshortcuts="Control+Shift+Enter"
                      onClick={({ currentTarget }) => {
                        isNext.current = true;
                        currentTarget.form?.requestSubmit();
                      }}
                    >
                      <Trans>Save and add another</Trans>
                    </Button>
                  )}
                </FormButtons>
              </>
            )}
          >
            {typeof children === 'function' ? children(close) : children}
          </ApiForm>
        </div>
      )}
    </SideDialog>
  );
}

interface FormButtonsProps {
  isSending: boolean;
  close: () => void;
  words: ReactNode;
  /** Told before the form is sent by its main button, or by Enter. */
  onSubmit?: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** The buttons of a form in a dialog. */
export const FormButtons = ({ isSending, close, words, onSubmit, children }: FormButtonsProps) => (
  <DialogButtons>
    <Button onClick={close}>
      <Trans>Cancel</Trans>
    </Button>
    {children}
    <Button type="submit" kind="main" isBusy={isSending} onClick={onSubmit}>
      {words}
    </Button>
  </DialogButtons>
);

interface FormOpenerProps {
  /** What the form does, read aloud. */
  title: string;
  label: ReactNode;
  /** A quiet button, unless it is at the head of a record. */
  kind?: 'main' | 'plain' | 'quiet';
  /** The single key that presses it. */
  shortcut?: string;
  children: (onClose: () => void) => ReactNode;
}

/** A button that opens a form; each time a new one. */
export function FormOpener({ title, label, kind = 'quiet', shortcut, children }: FormOpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} aria-label={title} aria-keyshortcuts={shortcut} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
