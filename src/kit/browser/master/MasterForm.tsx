import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { focusFirstField } from '#kit/browser/ui/focus.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValues, enteredOf, isActiveLabel, type Master, type MasterRow } from '#kit/contract/master.ts';
import { translate } from '../text.ts';
import { MasterField, TickRow } from './MasterField.tsx';
import styles from './MasterForm.module.css';
import { shown } from './shown.tsx';

interface Props {
  master: Master;
  /** The row being edited; without it a new row is created. */
  row?: MasterRow;
  /** The initial values of a new row. */
  usual?: Values;
  onClose: () => void;
}

/** The version that another user saved while this form was open. */
interface Newer {
  version: number;
  saved: Values;
  names: Record<string, string>;
  mine: Values;
}

/** The form of a master, in a panel beside its list. */
export function MasterForm({ master, row, usual, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const isChanged = useRef(false);
  const [newer, setNewer] = useState<Newer>();
  const [start, setStart] = useState({
    values: row ?? { ...emptyValues(master), ...usual },
    version: row?.version,
    take: 0,
    /** The choice between two versions is not saved either. */
    isUnsaved: false,
  });
  const panel = useRef<HTMLDivElement>(null);
  const isNext = useRef(false);
  /** What was added since the form was opened, the last one. */
  const [added, setAdded] = useState('');
  const title = row ? t`Edit ${row.displayName}` : t`Add ${translate(master.singular)}`;
  const entered = enteredOf(master);

  const choose = (values: Values, version: number) => {
    setStart(({ take }) => ({ values, version, take: take + 1, isUnsaved: true }));
    setNewer(undefined);
  };
  const addNext = (values: Values) => {
    const kept = { ...emptyValues(master), ...usual, ...placeOf(master, values) };
    setStart(({ take }) => ({ values: kept, version: undefined, take: take + 1, isUnsaved: false }));
    setAdded(nameOf(master, values));
  };
  useEffect(() => {
    if (start.take > 0 && !start.isUnsaved) focusFirstField(panel.current);
  }, [start]);
  return (
    <SideDialog
      title={title}
      about={row || !master.description ? undefined : translate(master.description)}
      onClose={onClose}
      isChanged={isChanged}
    >
      {(close) => (
        <div ref={panel} className={styles.panel}>
          <p role="status" className={styles.added}>
            {added && <Trans>{added} was added. Enter the next one.</Trans>}
          </p>
          {newer && <Newer master={master} newer={newer} onChoose={choose} />}
          <ApiForm
            // The form starts again from the version that is chosen.
            key={start.take}
            endpoint={row ? master.api.update : master.api.create}
            initial={Object.fromEntries(
              [...entered.map(([name]) => name), 'isActive'].map((name) => [name, asTyped(start.values[name])]),
            )}
            hiddenValues={row && { id: row.id, version: start.version }}
            label={title}
            onStale={({ data }, mine) => setNewer({ ...(data as unknown as Newer), mine })}
            onDone={(_, values) => {
              if (isNext.current) return addNext(values as Values);
              close();
              toast({ kind: 'success', title: row ? t`Saved.` : t`Added.` });
            }}
            buttons={(isSending, hasChanged) => {
              isChanged.current = hasChanged || start.isUnsaved;
              return (
                <FormButtons
                  isSending={isSending}
                  close={close}
                  words={row ? <Trans>Save</Trans> : <Trans>Add</Trans>}
                  onSubmit={() => {
                    isNext.current = false;
                  }}
                >
                  {!row && (
                    <Button
                      isBusy={isSending}
                      onClick={({ currentTarget }) => {
                        isNext.current = true;
                        currentTarget.form?.requestSubmit();
                      }}
                    >
                      <Trans>Save and add another</Trans>
                    </Button>
                  )}
                </FormButtons>
              );
            }}
          >
            {entered.map(([name, field]) => (
              <MasterField key={name} master={master} name={name} field={field} ownId={row?.id} />
            ))}
            {row && <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />}
          </ApiForm>
        </div>
      )}
    </SideDialog>
  );
}

/** What tells one list of rows from another, such as the year: it stays for the next row. */
const placeOf = (master: Master, values: Values) =>
  Object.fromEntries(
    master.key.flatMap((name) => {
      const kind = master.fields[name]?.kind;
      return kind === 'ref' || kind === 'oneOf' ? [[name, values[name]]] : [];
    }),
  );

/** What was typed of a row's name. */
const nameOf = (master: Master, values: Values) =>
  master.labelFields
    .filter((name) => master.fields[name]?.kind === 'text')
    .map((name) => values[name])
    .join(' ');

/** Boxes hold text. */
const asTyped = (value: unknown) => (typeof value === 'number' ? String(value) : value);

interface NewerProps {
  master: Master;
  newer: Newer;
  onChoose: (values: Values, version: number) => void;
}

/** Both versions of the row, and a choice between them. */
function Newer({ master, newer: { version, saved, names, mine }, onChoose }: NewerProps) {
  const { t } = useLingui();
  const all = [
    ...enteredOf(master).map(([name, field]) => ({ name, label: field.label, field })),
    { name: 'isActive', label: isActiveLabel, field: undefined },
  ];
  const differences = all
    .filter(({ name }) => String(saved[name] ?? '') !== String(mine[name] ?? ''))
    .map(({ name, label, field }) => ({
      label: translate(label),
      saved: shown(field, saved[name], names[name]),
      mine: field?.kind === 'ref' ? t`As chosen below` : shown(field, mine[name]),
    }));
  return (
    <TwoVersions
      differences={differences}
      onSaved={() => onChoose(saved, version)}
      onMine={() => onChoose(mine, version)}
    />
  );
}
