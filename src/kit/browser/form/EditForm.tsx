import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { focusFirstField } from '#kit/browser/ui/focus.ts';
import { type Difference, TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { AppError, FieldErrors } from '#kit/contract/errors.ts';
import { ApiForm, type Values } from './ApiForm.tsx';
import styles from './EditForm.module.css';
import { FormButtons } from './FormDialog.tsx';

/** The version of a record that another user saved while its form was open. */
export interface Newer {
  values: Values;
  /** Sent in place of the form's own ones, whichever version is chosen. */
  hiddenValues: Values;
  differences: Difference[];
}

interface Props<Operation extends Endpoint> {
  endpoint: Operation;
  label: string;
  initial: Values;
  /** The id and version of the record. */
  hiddenValues: Values;
  /** Reads the newer version from what the server sent with its refusal. */
  newerOf: (data: NonNullable<AppError['data']>, mine: Values) => Newer;
  validate?: (values: Values) => FieldErrors;
  close: () => void;
  isChanged: RefObject<boolean>;
  children: ReactNode;
}

/** The form of a record in a panel. Who saves second chooses between both versions, and loses nothing. */
export function EditForm<Operation extends Endpoint>(props: Props<Operation>) {
  const { endpoint, label, initial, hiddenValues, newerOf, validate, close, isChanged, children } = props;
  const { t } = useLingui();
  const toast = useToast();
  const panel = useRef<HTMLDivElement>(null);
  const [start, setStart] = useState({ values: initial, hiddenValues, take: 0 });
  const [newer, setNewer] = useState<Newer & { mine: Values }>();
  useEffect(() => {
    if (start.take > 0) focusFirstField(panel.current);
  }, [start.take]);
  const choose = (values: Values, chosen: Newer) => {
    const hidden = { ...hiddenValues, ...chosen.hiddenValues };
    setStart(({ take }) => ({ values, hiddenValues: hidden, take: take + 1 }));
    setNewer(undefined);
  };
  return (
    <div ref={panel} className={styles.panel}>
      {newer && (
        <TwoVersions
          differences={newer.differences}
          onSaved={() => choose(newer.values, newer)}
          onMine={() => choose(newer.mine, newer)}
        />
      )}
      <ApiForm
        // The form starts again from the version that is chosen.
        key={start.take}
        endpoint={endpoint}
        label={label}
        initial={start.values}
        hiddenValues={start.hiddenValues}
        validate={validate}
        onStale={({ data }, mine) => setNewer({ ...newerOf(data ?? {}, mine), mine })}
        onDone={() => {
          close();
          toast({ kind: 'success', title: t`Saved.` });
        }}
        buttons={(isSending, hasChanged) => {
          // A version chosen after a conflict is not saved either.
          isChanged.current = hasChanged || start.take > 0;
          return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
        }}
      >
        {children}
      </ApiForm>
    </div>
  );
}
