import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useReadAll } from '#kit/browser/data/read.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { RemoveDialog } from '#kit/browser/list/RemoveDialog.tsx';
import { rowBeside } from '#kit/browser/list/row-names.ts';
import { type Way, wayBack } from '#kit/browser/list/use-dragging.ts';
import { type Address, useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { Swatch } from '#kit/browser/ui/Swatch.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Field, refsOf } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { enteredOf, type Master, type MasterRow } from '#kit/contract/master.ts';
import { listOf } from '#kit/contract/master-list.ts';
import { colours } from '#kit/contract/palette.ts';
import { everyone } from '#kit/contract/record-list.ts';
import { showNumber } from '#kit/contract/text.ts';
import { showValue } from '../record/show-value.tsx';
import { translate } from '../text.ts';
import { AddRow, EditRow } from './MasterForm.tsx';
import styles from './MasterPage.module.css';

interface Props {
  master: Master;
  /** Filters that apply where the address has none, and the initial values of new rows. */
  usual?: Address;
  /** The label of these filters, such as "2026-27". */
  usually?: string;
  /** The reason that no row can be added now. */
  closed?: ReactNode;
  /** The user may read the list, and not change it. */
  isReadOnly?: boolean;
  /** Further actions on a row of this master; what opens over the list is wrapped in `from`, as in a `RowMenu`. */
  extraActions?: (row: MasterRow, from: (open: () => void) => () => void) => ReactNode;
}

/** What is open over the list. */
// Opened now and then.
const MasterImport = lazy(async () => ({ default: (await import('./MasterImport.tsx')).MasterImport }));

type Open = { what: 'add' | 'import' } | { what: 'edit' | 'history' | 'remove'; row: MasterRow };

/** The list of a master, and everything that can be done with it. */
export function MasterPage({ master, usual = {}, usually, closed, isReadOnly = false, extraActions }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const update = useAction(master.api.update);
  // Only a master whose rows have an order has `move`, which the rows below use.
  const move = useAction(master.api.move ?? master.api.update);
  const setActive = useAction(master.api.setActive);
  const { address } = useListAddress();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const list = useRef<HTMLElement>(null);
  /** Gets the focus when the row that is to be deleted is gone. */
  const beside = useRef<HTMLElement>(undefined);
  const rowsName = translate(master.plural);
  const within = Object.keys(usual).some((name) => address[name] === everyone) ? undefined : usually;
  const undoBy = (act: () => unknown) => [{ label: t`Undo`, act: () => void act() }];
  const switchTo = async (row: MasterRow, isActive: boolean, isUndo = false) => {
    const values = Object.fromEntries(enteredOf(master).map(([name]) => [name, row[name]]));
    const saved = await update.run({ ...values, id: row.id, version: row.version, isActive });
    if (!saved) return;
    toast({
      kind: 'success',
      title: isActive ? t`${row.displayName} activated.` : t`${row.displayName} deactivated.`,
      actions: isUndo ? undefined : undoBy(() => switchTo({ ...row, version: saved.version }, !isActive, true)),
    });
  };
  const switchAll = async (selection: Selection, isActive: boolean, isUndo = false) => {
    const done = await setActive.run({ selection, isActive });
    if (!done) return false;
    const { changed, skipped } = done;
    const count = changed.length;
    const undo = () => switchAll({ ids: changed, isAll: false, query: {} }, !isActive, true);
    toast({
      kind: skipped.length > 0 ? 'warning' : 'success',
      title: isActive
        ? t`${plural(count, { one: '# entry', other: '# entries' })} activated.`
        : t`${plural(count, { one: '# entry', other: '# entries' })} deactivated.`,
      text: skipped.map(({ message, count }) => t`${count} skipped: ${translate(message)}.`).join(' '),
      actions: isUndo || count === 0 ? undefined : undoBy(undo),
    });
    return true;
  };
  const moveTo = async ({ id, displayName }: MasterRow, to: Way, rows: readonly MasterRow[]) => {
    if (!(await move.run({ id, to }))) return;
    const back = wayBack(rows, id, to);
    toast({
      kind: 'success',
      title: t`${displayName} moved.`,
      actions: back === undefined ? undefined : undoBy(() => move.run({ id, to: back })),
    });
  };
  const isFixed = (row: MasterRow) => isReadOnly || (master.fixedBy !== undefined && row[master.fixedBy] === true);
  const edit = (row: MasterRow) => () => setOpen({ what: 'edit', row });
  const remove = (row: MasterRow) => {
    beside.current = rowBeside(list.current, row.id);
    setOpen({ what: 'remove', row });
  };
  return (
    <>
      <RecordList
        list={listOf(master)}
        ref={list}
        usual={usual}
        open={(row) => (isFixed(row) ? undefined : edit(row))}
        notice={
          <>
            {closed && <Notice>{closed}</Notice>}
            {update.problem}
            {move.problem}
          </>
        }
        cells={cellsOf(master)}
        isSoft={({ isActive }) => !isActive}
        onMove={isReadOnly ? undefined : master.api.move && moveTo}
        actions={(row, from, { up, down }) => (
          <>
            {!isFixed(row) && (
              <Menu.Item onClick={from(edit(row))}>
                <Trans>Edit</Trans>
              </Menu.Item>
            )}
            {extraActions?.(row, from)}
            {up && (
              <Menu.Item onClick={up}>
                <Trans>Move up</Trans>
              </Menu.Item>
            )}
            {down && (
              <Menu.Item onClick={down}>
                <Trans>Move down</Trans>
              </Menu.Item>
            )}
            <Menu.Item onClick={from(() => setOpen({ what: 'history', row }))}>
              <Trans>History</Trans>
            </Menu.Item>
            {!isFixed(row) && (
              <Menu.Item onClick={() => switchTo(row, !row.isActive)}>
                {row.isActive ? t`Deactivate` : t`Activate`}
              </Menu.Item>
            )}
            {isReadOnly ? null : isFixed(row) ? (
              <Why>
                <Trans>Can’t be edited or deleted: used by a form</Trans>
              </Why>
            ) : row.usedBy === 0 ? (
              <Menu.Item onClick={from(() => remove(row))}>
                <Trans>Delete</Trans>
              </Menu.Item>
            ) : (
              <Why>
                <Plural
                  value={row.usedBy}
                  one="Can’t be deleted: used in # place"
                  other="Can’t be deleted: used in # places"
                />
              </Why>
            )}
          </>
        )}
        onAdd={closed || isReadOnly ? undefined : () => setOpen({ what: 'add' })}
        bulk={
          isReadOnly
            ? undefined
            : (selection, clear) => (
                <>
                  {setActive.problem}
                  {[true, false].map((isActive) => (
                    <Button
                      key={String(isActive)}
                      onClick={async () => {
                        if (!(await switchAll(selection, isActive))) return;
                        list.current?.focus();
                        clear();
                      }}
                    >
                      {isActive ? <Trans>Activate</Trans> : <Trans>Deactivate</Trans>}
                    </Button>
                  ))}
                </>
              )
        }
        more={
          !isReadOnly && (
            <Menu.Item onClick={() => setOpen({ what: 'import' })}>
              <Trans>Import…</Trans>
            </Menu.Item>
          )
        }
        empty={{
          message: within ? (
            <Trans>
              No {rowsName} in {within} yet.
            </Trans>
          ) : (
            <Trans>No {rowsName} yet.</Trans>
          ),
          children: (
            <>
              {master.description && <p>{translate(master.description)}</p>}
              <Needed master={master} />
              {!closed && (
                <Button onClick={() => setOpen({ what: 'import' })}>
                  <Trans>Import…</Trans>
                </Button>
              )}
            </>
          ),
        }}
      />
      {open?.what === 'add' && <AddRow master={master} usual={usual} onClose={close} />}
      {open?.what === 'edit' && <EditRow master={master} row={open.row} onClose={close} />}
      {open?.what === 'history' && <HistoryDialog endpoint={master.api.history} {...open.row} onClose={close} />}
      {open?.what === 'import' && (
        <Suspense fallback={null}>
          <MasterImport master={master} onClose={close} />
        </Suspense>
      )}
      {open?.what === 'remove' && (
        <RemoveDialog
          endpoint={master.api.remove}
          row={open.row}
          onClose={close}
          onRemoved={() => (beside.current?.isConnected ? beside.current : list.current)?.focus()}
        />
      )}
    </>
  );
}

/** The reason that an action is disabled, in its place; it can be focused, so that it is read out. */
const Why = ({ children }: { children: ReactNode }) => (
  <Menu.Item aria-disabled closeMenuOnClick={false} className={styles.why}>
    {children}
  </Menu.Item>
);

type Cell = (row: MasterRow) => ReactNode;

/** The content of each column; beside the name stands that a row is inactive. */
const cellsOf = ({ fields }: Master): Record<string, Cell> => ({
  ...Object.fromEntries(Object.entries(fields).map(([name, field]): [string, Cell] => [name, cellOf(name, field)])),
  displayName: ({ isActive }) => (isActive ? null : <InactiveChip />),
  usedBy: ({ usedBy }) => (usedBy > 0 ? showNumber(usedBy) : ''),
});

const InactiveChip = () => (
  <>
    {' '}
    <Chip>
      <Trans>Inactive</Trans>
    </Chip>
  </>
);

const cellOf = (name: string, field: Field) => (row: MasterRow) => {
  const value = row[name];
  if (field.kind === 'yesNo' && value === false) return '';
  const words = showValue(field, value, row.names[name]);
  if (field.kind === 'oneOf' && field.isReadOnly)
    return <Status kind={value === 'Current' ? 'good' : 'plain'}>{words}</Status>;
  const colour = field.kind === 'oneOf' && field.options === colours && colours.find((colour) => colour === value);
  return colour ? <Swatch colour={colour} /> : words;
};

/** Lists the other masters that need a row first: those without an entry to choose. */
function Needed({ master }: { master: Master }) {
  const references = refsOf(master).flatMap(([, field]) =>
    field.optional || field.to === 'self' ? [] : [[field, field.to] as const],
  );
  const options = useReadAll(
    references.map(([, to]) => to.options),
    {},
  );
  const missing = references.filter((_, index) => options[index]?.data?.every(({ isActive }) => !isActive));
  if (missing.length === 0) return null;
  const names = missing.map(([{ label }]) => translate(label)).join(', ');
  return (
    <p>
      <Trans>Add these first: {names}</Trans>
    </p>
  );
}
