import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import type { History } from '#kit/contract/history.ts';
import { ListRows } from './ListTable.tsx';
import { type Removal, RemoveDialog } from './RemoveDialog.tsx';
import { RowMenu } from './RowMenu.tsx';
import { rowBeside } from './row-names.ts';
import { rowOpen } from './row-open.ts';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { useListKeys } from './use-list-keys.ts';

interface Row {
  id: number;
  name: string;
  isActive: boolean;
  version: number;
}

/** What opens over the list. */
export type Dialog = (onClose: () => void) => ReactNode;

/** A button or an item of a row's menu that opens something. */
interface Act {
  label: string;
  dialog: Dialog;
}

interface Props<Some extends Row> {
  title: string;
  /** It has the head of a page; as one tab of several it has only its button. */
  isPage?: boolean;
  query: UseQueryResult<{ rows: Some[] }>;
  /** The columns after the name. */
  columns: readonly { head: string; cell: (row: Some) => ReactNode }[];
  /** What is said below the rows: "3 frequencies". */
  count: (rows: number) => ReactNode;
  empty: { message: ReactNode; acts?: readonly Act[] };
  /** Adds a record; absent where the user may only read. */
  add?: Act;
  edit: (row: Some) => Dialog;
  /** Further items of the row's menu. */
  acts?: (row: Some) => readonly Act[];
  history: History;
  remove: Removal;
  /** It is in use, so that it cannot be deleted. */
  isUsed?: (row: Some) => boolean;
}

/** A few records that a page reads whole, each with parts of its own: the list, and everything that opens over it. */
export function ShortList<Some extends Row>(props: Props<Some>) {
  const { title, isPage = false, query, columns, count, empty, add, edit, acts, history, remove } = props;
  const { t } = useLingui();
  const [open, setOpen] = useState<{ dialog: Dialog }>();
  const list = useRef<HTMLElement>(null);
  /** Gets the focus when the record that is to be deleted is gone. */
  const beside = useRef<HTMLElement>(undefined);
  const show = (dialog: Dialog) => () => setOpen({ dialog });
  const keys: Dialog = (onClose) => <ShortcutsDialog add={add?.label} onClose={onClose} />;
  useListKeys(list, { onAdd: add && show(add.dialog), onHelp: show(keys) });
  const historyOf =
    ({ id, name }: Some): Dialog =>
    (onClose) => <HistoryDialog endpoint={history} id={id} displayName={name} onClose={onClose} />;
  const askRemove = (row: Some) => () => {
    beside.current = rowBeside(list.current, row.id);
    setOpen({
      dialog: (onClose) => (
        <RemoveDialog
          endpoint={remove}
          row={{ ...row, displayName: row.name }}
          onClose={onClose}
          onRemoved={() => (beside.current?.isConnected ? beside.current : list.current)?.focus()}
        />
      ),
    });
  };
  const button = add && (
    <Button kind="main" className={isPage ? undefined : 'list-add'} onClick={show(add.dialog)}>
      <IconPlus size={16} aria-hidden /> {add.label}
    </Button>
  );
  return (
    <section ref={list} tabIndex={-1} aria-label={title}>
      {isPage ? (
        <PageHead title={title}>{button}</PageHead>
      ) : (
        button && (
          <div className="list-head">
            <div className="list-buttons">{button}</div>
          </div>
        )
      )}
      <QueryBoundary query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={empty.message}>
              {add &&
                empty.acts?.map(({ label, dialog }) => (
                  <Button key={label} onClick={show(dialog)}>
                    {label}
                  </Button>
                ))}
            </EmptyState>
          ) : (
            <>
              <ListRows
                caption={title}
                heads={[t`Name`, ...columns.map(({ head }) => head)]}
                rows={rows.map((row) => ({
                  key: row.id,
                  attributes: add && rowOpen(show(edit(row))),
                  cells: [
                    <Name key="name" row={row} onOpen={add && show(edit(row))} />,
                    ...columns.map(({ cell }) => cell(row)),
                  ],
                  actions: (
                    <RowMenu name={row.name}>
                      {(from) => (
                        <>
                          {add && (
                            <>
                              <Menu.Item onClick={from(show(edit(row)))}>
                                <Trans>Edit</Trans>
                              </Menu.Item>
                              {acts?.(row).map(({ label, dialog }) => (
                                <Menu.Item key={label} onClick={from(show(dialog))}>
                                  {label}
                                </Menu.Item>
                              ))}
                            </>
                          )}
                          <Menu.Item onClick={from(show(historyOf(row)))}>
                            <Trans>History</Trans>
                          </Menu.Item>
                          {add && !props.isUsed?.(row) && (
                            <Menu.Item onClick={from(askRemove(row))}>
                              <Trans>Delete</Trans>
                            </Menu.Item>
                          )}
                        </>
                      )}
                    </RowMenu>
                  ),
                }))}
              />
              <p className="list-foot soft" role="status">
                {count(rows.length)}
              </p>
            </>
          )
        }
      </QueryBoundary>
      {open?.dialog(() => setOpen(undefined))}
    </section>
  );
}

function Name({ row: { id, name, isActive }, onOpen }: { row: Row; onOpen: (() => void) | undefined }) {
  return (
    <>
      {onOpen ? (
        <Button kind="link" className="list-name" data-row-name={id} onClick={onOpen}>
          {name}
        </Button>
      ) : (
        <strong>{name}</strong>
      )}{' '}
      {!isActive && (
        <Chip>
          <Trans>Inactive</Trans>
        </Chip>
      )}
    </>
  );
}
