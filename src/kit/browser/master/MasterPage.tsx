import { Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadAll, useReadList } from '#kit/browser/data/read.ts';
import { ColumnsDialog } from '#kit/browser/list/ColumnsDialog.tsx';
import { ExportItems } from '#kit/browser/list/ExportMenu.tsx';
import { ListFoot } from '#kit/browser/list/ListFoot.tsx';
import { rowBeside } from '#kit/browser/list/row-names.ts';
import { ShortcutsDialog } from '#kit/browser/list/ShortcutsDialog.tsx';
import { useColumns } from '#kit/browser/list/use-columns.ts';
import { type Address, everyone, useListAddress } from '#kit/browser/list/use-list-address.ts';
import { useListKeys } from '#kit/browser/list/use-list-keys.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { enteredOf, type Master, type MasterRow, refsOf } from '#kit/contract/master.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import { english } from '#kit/contract/text.ts';
import { translate } from '../text.ts';
import { MasterFilters } from './MasterFilters.tsx';
import { MasterForm } from './MasterForm.tsx';
import { MasterImport } from './MasterImport.tsx';
import { MasterList, type RowActions } from './MasterList.tsx';
import styles from './MasterPage.module.css';
import { RemoveDialog } from './RemoveDialog.tsx';

interface Props {
  master: Master;
  /** Filters that apply where the address has none, and the initial values of new rows. */
  usual?: Address;
  /** The label of these filters, such as "2026-27". */
  usually?: string;
  /** The reason that no row can be added now. */
  closed?: ReactNode;
  /** Further actions on a row of this master. */
  extraActions?: RowActions['extraActions'];
}

/** Content above the list. */
type Open = { what: 'add' | 'import' | 'columns' | 'keys' } | { what: 'edit' | 'history' | 'remove'; row: MasterRow };

/** The list of a master, and everything that can be done with it. */
export function MasterPage({ master, usual = {}, usually, closed, extraActions }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { attempt, problem } = useAttempt();
  const update = useAction(master.api.update);
  // Only a master whose rows have an order has `move`, which the rows below use.
  const move = useAction(master.api.move ?? master.api.update);
  const { address, narrow, turn } = useListAddress();
  const { tab: _, ...listAddress } = address;
  const input: Address = { ...usual, ...listAddress };
  const query = useReadList(master.api.list, input as never);
  const fields = Object.entries(master.fields).filter(([name]) => !master.labelFields.includes(name));
  const columns = fields.map(([name, { label, isAside }]) => ({ name, label: translate(label), isAside }));
  const { shown, choose } = useColumns(master.table, columns);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const list = useRef<HTMLElement>(null);
  /** Gets the focus when the row that is to be deleted is gone. */
  const beside = useRef<HTMLElement>(undefined);
  const add = closed ? undefined : () => setOpen({ what: 'add' });
  const addWords = t`Add ${translate(master.singular)}`;
  useListKeys(list, { onAdd: add, onHelp: () => setOpen({ what: 'keys' }) });

  const isNarrowed = Object.keys(listAddress).some(
    (name) => !['after', 'before', 'countsAll'].includes(name) && listAddress[name],
  );
  const isSearched = Object.keys(listAddress).some(
    (name) =>
      !['after', 'before', 'countsAll', 'sort'].includes(name) &&
      ![undefined, everyone, usual[name]].includes(listAddress[name]),
  );
  const within = Object.keys(usual).some((name) => listAddress[name] === everyone) ? undefined : usually;
  const rows = (query.data?.rows ?? []) as MasterRow[];
  const undoBy = (act: () => unknown) => ({ label: t`Undo`, act: () => void act() });
  const switchTo = async (row: MasterRow, isActive: boolean, isUndo = false) => {
    const values = Object.fromEntries(enteredOf(master).map(([name]) => [name, row[name]]));
    const saved = await update.run({ ...values, id: row.id, version: row.version, isActive });
    if (!saved) return;
    toast({
      kind: 'success',
      title: isActive ? t`${row.displayName} activated.` : t`${row.displayName} deactivated.`,
      action: isUndo ? undefined : undoBy(() => switchTo({ ...row, version: saved.version }, !isActive, true)),
    });
  };
  const moveTo = async (row: MasterRow, to: 'up' | 'down' | number) => {
    if (!(await move.run({ id: row.id, to }))) return;
    const back = wayBack(rows, row, to);
    toast({
      kind: 'success',
      title: t`${row.displayName} moved.`,
      action: back === undefined ? undefined : undoBy(() => move.run({ id: row.id, to: back })),
    });
  };
  const actions: RowActions = {
    onEdit: (row) => setOpen({ what: 'edit', row }),
    onHistory: (row) => setOpen({ what: 'history', row }),
    onRemove: (row) => {
      beside.current = rowBeside(list.current, row.id);
      setOpen({ what: 'remove', row });
    },
    onSwitch: (row) => switchTo(row, !row.isActive),
    onMove: master.api.move && !isNarrowed ? moveTo : undefined,
    extraActions,
  };
  const download = useDownload();
  const save = (as: TableKind) =>
    attempt(async () => {
      const { after: _, before: __, countsAll: ___, ...look } = input;
      await download(
        master.api.export,
        { ...look, as } as never,
        `${english(master.plural).replaceAll(' ', '-')}.${as}`,
      );
    });
  return (
    <section ref={list} className={styles.list} tabIndex={-1} aria-label={translate(master.plural)}>
      <div className={`list-head ${styles.head}`}>
        <MasterFilters master={master} usual={usual} address={input} onNarrow={narrow} />
        <div className="list-buttons">
          <Menu>
            <Menu.Target>
              <Button>
                <Trans>More</Trans> <IconChevronDown size={16} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpen({ what: 'import' })}>
                <Trans>Import…</Trans>
              </Menu.Item>
              <ExportItems onExport={save} />
              {columns.length > 0 && (
                <Menu.Item onClick={() => setOpen({ what: 'columns' })}>
                  <Trans>Columns…</Trans>
                </Menu.Item>
              )}
              <Menu.Item onClick={() => setOpen({ what: 'keys' })}>
                <Trans>Keyboard shortcuts</Trans>
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {add && (
            <Button kind="main" className="list-add" aria-keyshortcuts="n" onClick={add}>
              <IconPlus size={16} aria-hidden /> {addWords}
            </Button>
          )}
        </div>
      </div>
      {closed && <Notice>{closed}</Notice>}
      {problem}
      {update.problem}
      {move.problem}
      <QueryBoundary query={query}>
        {(page) =>
          rows.length === 0 ? (
            <NoRows
              master={master}
              isSearched={isSearched}
              within={within}
              onFirst={listAddress.after || listAddress.before ? () => turn({}) : undefined}
            />
          ) : (
            <>
              <MasterList
                master={master}
                rows={rows}
                actions={actions}
                isFirstPage={page.previous === null}
                isLastPage={page.next === null}
                columns={fields.filter(([name]) => shown.includes(name))}
                sort={address.sort ?? ''}
                onSort={(sort) => narrow({ sort })}
              />
              <ListFoot page={page} singular={master.singular} plural={master.plural} place={{ address, turn }} />
            </>
          )
        }
      </QueryBoundary>
      {open?.what === 'add' && <MasterForm master={master} usual={usual} onClose={close} />}
      {open?.what === 'edit' && <MasterForm master={master} row={open.row} onClose={close} />}
      {open?.what === 'history' && <HistoryDialog endpoint={master.api.history} {...open.row} onClose={close} />}
      {open?.what === 'import' && <MasterImport master={master} onClose={close} />}
      {open?.what === 'columns' && (
        <ColumnsDialog
          about={t`Kept on this device until you sign out.`}
          columns={columns}
          shown={shown}
          onChoose={choose}
          onClose={close}
        />
      )}
      {open?.what === 'keys' && <ShortcutsDialog add={add && addWords} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          master={master}
          row={open.row}
          onClose={close}
          onRemoved={() => (beside.current?.isConnected ? beside.current : list.current)?.focus()}
        />
      )}
    </section>
  );
}

/** Where a row that was moved goes again to be where it was: beside it, or to the place of the row that took its own. */
function wayBack(rows: readonly MasterRow[], row: MasterRow, to: 'up' | 'down' | number) {
  if (to === 'up') return 'down';
  if (to === 'down') return 'up';
  const [from, place] = [row.id, to].map((id) => rows.findIndex((other) => other.id === id)) as [number, number];
  return rows[from < place ? from + 1 : from - 1]?.id;
}

interface NoRowsProps {
  master: Master;
  isSearched: boolean;
  /** The default filter's label, if it applies. */
  within: string | undefined;
  /** Returns to the first page from a page that has lost its rows. */
  onFirst?: () => void;
}

function NoRows({ master, isSearched, within, onFirst }: NoRowsProps) {
  if (onFirst) {
    return (
      <EmptyState message={<Trans>This page of the list is empty now.</Trans>}>
        <Button onClick={onFirst}>
          <Trans>First page</Trans>
        </Button>
      </EmptyState>
    );
  }
  if (isSearched) {
    return <EmptyState message={<Trans>No entries match. Try removing a filter.</Trans>} />;
  }
  return (
    <EmptyState
      message={
        within ? (
          <Trans>
            No {translate(master.plural)} in {within} yet.
          </Trans>
        ) : (
          <Trans>No {translate(master.plural)} yet.</Trans>
        )
      }
    >
      {master.description && <p>{translate(master.description)}</p>}
      <Needed master={master} />
    </EmptyState>
  );
}

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
