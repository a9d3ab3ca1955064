import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { AddDialog } from '#kit/browser/list/AddDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValues, enteredOf, isActiveLabel, type Master, type MasterRow } from '#kit/contract/master.ts';
import { translate } from '../text.ts';
import { MasterField, TickRow } from './MasterField.tsx';
import { shown } from './shown.tsx';

interface AddProps {
  master: Master;
  /** The initial values of a new row. */
  usual: Values;
  onClose: () => void;
}

/** Adds rows of a master. What tells one list of rows from another, such as the year, stays for the next row. */
export function AddRow({ master, usual, onClose }: AddProps) {
  const { t } = useLingui();
  const kindOf = (name: string) => master.fields[name]?.kind;
  return (
    <AddDialog
      title={t`Add ${translate(master.singular)}`}
      about={master.description && translate(master.description)}
      endpoint={master.api.create}
      initial={{ ...emptyValues(master), ...usual }}
      keeps={master.key.filter((name) => kindOf(name) === 'ref' || kindOf(name) === 'oneOf')}
      nameFields={master.labelFields.filter((name) => kindOf(name) === 'text')}
      onClose={onClose}
    >
      <Fields master={master} />
    </AddDialog>
  );
}

/** The controls of the fields that users fill in. */
const Fields = ({ master, ownId }: { master: Master; ownId?: number }) =>
  enteredOf(master).map(([name, field]) => (
    <MasterField key={name} master={master} name={name} field={field} ownId={ownId} />
  ));

interface EditProps {
  master: Master;
  row: MasterRow;
  onClose: () => void;
}

/** The version that another user saved while this form was open. */
interface Newer {
  version: number;
  saved: Values;
  names: Record<string, string>;
  mine: Values;
}

/** Edits a row of a master. */
export function EditRow({ master, row, onClose }: EditProps) {
  const { t } = useLingui();
  const toast = useToast();
  const isChanged = useRef(false);
  const [newer, setNewer] = useState<Newer>();
  const [start, setStart] = useState<{ values: Values; version: number; take: number }>({
    values: row,
    version: row.version,
    take: 0,
  });
  const title = t`Edit ${row.displayName}`;
  const choose = (values: Values, version: number) => {
    setStart(({ take }) => ({ values, version, take: take + 1 }));
    setNewer(undefined);
  };
  return (
    <SideDialog title={title} onClose={onClose} isChanged={isChanged}>
      {(close) => (
        <>
          {newer && <NewerVersion master={master} newer={newer} onChoose={choose} />}
          <ApiForm
            // The form starts again from the version that is chosen.
            key={start.take}
            endpoint={master.api.update}
            initial={Object.fromEntries(
              [...enteredOf(master).map(([name]) => name), 'isActive'].map((name) => [
                name,
                asTyped(start.values[name]),
              ]),
            )}
            hiddenValues={{ id: row.id, version: start.version }}
            label={title}
            onStale={({ data }, mine) => setNewer({ ...(data as unknown as Newer), mine })}
            onDone={() => {
              close();
              toast({ kind: 'success', title: t`Saved.` });
            }}
            buttons={(isSending, hasChanged) => {
              // The choice between two versions is not saved either.
              isChanged.current = hasChanged || start.take > 0;
              return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
            }}
          >
            <Fields master={master} ownId={row.id} />
            <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
          </ApiForm>
        </>
      )}
    </SideDialog>
  );
}

/** Boxes hold text. */
const asTyped = (value: unknown) => (typeof value === 'number' ? String(value) : value);

interface NewerProps {
  master: Master;
  newer: Newer;
  onChoose: (values: Values, version: number) => void;
}

/** Both versions of the row, and a choice between them. */
function NewerVersion({ master, newer: { version, saved, names, mine }, onChoose }: NewerProps) {
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
