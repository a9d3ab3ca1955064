import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValues, enteredOf, isActiveLabel, type Master, type MasterRow } from '#kit/contract/master.ts';
import { translate } from '../text.ts';
import { MasterField, TickRow } from './MasterField.tsx';
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
  });
  const title = row ? t`Edit ${row.displayName}` : t`Add ${translate(master.singular)}`;
  const entered = enteredOf(master);

  const choose = (values: Values, version: number) => {
    setStart(({ take }) => ({ values, version, take: take + 1 }));
    setNewer(undefined);
  };
  return (
    <SideDialog
      title={title}
      about={row ? undefined : translate(master.description)}
      onClose={onClose}
      isChanged={isChanged}
    >
      {(close) => (
        <>
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
            onDone={() => {
              close();
              toast({ kind: 'success', title: row ? t`Saved.` : t`Added.` });
            }}
            buttons={(isSending, hasChanged) => {
              // The choice between two versions is not saved either.
              isChanged.current = hasChanged || start.take > 0;
              return (
                <FormButtons
                  isSending={isSending}
                  close={close}
                  words={row ? <Trans>Save</Trans> : <Trans>Add</Trans>}
                />
              );
            }}
          >
            {entered.map(([name, field]) => (
              <MasterField key={name} master={master} name={name} field={field} ownId={row?.id} />
            ))}
            {row && <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />}
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

/** Both versions side by side, and a choice between them. */
function Newer({ master, newer: { version, saved, names, mine }, onChoose }: NewerProps) {
  const { t } = useLingui();
  const all = [
    ...enteredOf(master).map(([name, field]) => ({ name, label: field.label, field })),
    { name: 'isActive', label: isActiveLabel, field: undefined },
  ];
  const different = all.filter(({ name }) => String(saved[name] ?? '') !== String(mine[name] ?? ''));
  return (
    <Notice as="div" role="alert">
      <p>
        <Trans>Someone else has changed this. Which version do you want to keep?</Trans>
      </p>
      {different.length > 0 && (
        <table className="versions">
          <thead>
            <tr>
              <td />
              <th scope="col">{t`Saved version`}</th>
              <th scope="col">{t`Your version`}</th>
            </tr>
          </thead>
          <tbody>
            {different.map(({ name, label, field }) => (
              <tr key={name}>
                <th scope="row">{translate(label)}</th>
                <td>{shown(field, saved[name], names[name])}</td>
                <td>{field?.kind === 'ref' ? t`As chosen below` : shown(field, mine[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="summary-buttons">
        <Button onClick={() => onChoose(saved, version)}>
          <Trans>Use the saved version</Trans>
        </Button>
        <Button onClick={() => onChoose(mine, version)}>
          <Trans>Keep my version</Trans>
        </Button>
      </div>
    </Notice>
  );
}
