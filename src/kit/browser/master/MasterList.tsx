import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { ListTable } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { SortHead } from '#kit/browser/list/SortHead.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Swatch } from '#kit/browser/ui/Swatch.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { Master, MasterField, MasterRow } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { showNumber } from '#kit/contract/text.ts';
import { translate } from '../text.ts';
import styles from './MasterList.module.css';
import { shown } from './shown.tsx';

export interface RowActions {
  onEdit: (row: MasterRow) => void;
  onHistory: (row: MasterRow) => void;
  onSwitch: (row: MasterRow) => void;
  onRemove: (row: MasterRow) => void;
  /** Only where users put the rows in order. */
  onMove?: (row: MasterRow, to: 'up' | 'down' | number) => unknown;
  /** Further actions on a row of this master. */
  extraActions?: (row: MasterRow) => ReactNode;
}

interface Props {
  master: Master;
  rows: MasterRow[];
  columns: [name: string, field: MasterField][];
  sort: string;
  onSort: (sort: string) => void;
  actions: RowActions;
  isFirstPage: boolean;
  isLastPage: boolean;
}

/** The rows of a master: the name comes first and opens the row; the actions are at its end. */
export function MasterList({ master, rows, columns, sort, onSort, actions, isFirstPage, isLastPage }: Props) {
  const { t } = useLingui();
  const { shown: inOrder, draggingOf } = useDragging(rows, actions.onMove);
  const rowProps = (row: MasterRow) => {
    const dragging = draggingOf(row);
    const opening = isFixed(master, row) ? undefined : rowOpen(() => actions.onEdit(row));
    const className = classNames(!row.isActive && styles.off, dragging.className, opening?.className);
    return { ...dragging, ...opening, className };
  };
  return (
    <ListTable isFluid>
      <VisuallyHidden as="caption">{translate(master.plural)}</VisuallyHidden>
      <thead>
        <tr>
          {master.isOrdered && sort === '' ? (
            <th scope="col">{t`Name`}</th>
          ) : (
            <SortHead name="" label={t`Name`} sort={sort} onSort={onSort} />
          )}
          {columns.map(([name, field]) => (
            <SortHead
              key={name}
              name={name}
              label={translate(field.label)}
              isNumber={field.kind === 'number'}
              sort={sort}
              onSort={onSort}
            />
          ))}
          <th scope="col" data-kind="number">
            {t`Used by`}
          </th>
          <th scope="col">
            <VisuallyHidden>
              <Trans>Actions</Trans>
            </VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {inOrder.map((row, index) => (
          <tr key={row.id} {...rowProps(row)}>
            <td data-kind="name">
              {actions.onMove && <IconGripVertical className={styles.grip} size={16} aria-hidden />}
              {isFixed(master, row) ? (
                <strong>{row.displayName}</strong>
              ) : (
                <Button kind="link" className="list-name" data-row-name={row.id} onClick={() => actions.onEdit(row)}>
                  {row.displayName}
                </Button>
              )}{' '}
              {!row.isActive && <Chip>{t`Inactive`}</Chip>}
            </td>
            {columns.map(([name, field]) => (
              <td
                key={name}
                data-head={translate(field.label)}
                data-kind={field.kind === 'number' ? 'number' : undefined}
              >
                <Cell field={field} value={row[name]} name={row.names[name]} />
              </td>
            ))}
            <td data-head={t`Used by`} data-kind="number">
              {row.usedBy > 0 ? showNumber(row.usedBy) : ''}
            </td>
            <td data-kind="actions">
              <Actions
                row={row}
                actions={actions}
                isFixed={isFixed(master, row)}
                isFirst={isFirstPage && index === 0}
                isLast={isLastPage && index === inOrder.length - 1}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </ListTable>
  );
}

const isFixed = ({ fixedBy }: Master, row: MasterRow) => fixedBy !== undefined && row[fixedBy] === true;

/** Rows that can be dragged to another row's place; the menu's Move up and Move down do it step by step. The others make room. */
function useDragging(rows: MasterRow[], onMove: RowActions['onMove']) {
  const [dragged, setDragged] = useState<MasterRow>();
  /** The order the rows would be in. */
  const [order, setOrder] = useState<MasterRow[]>();
  const isDropped = useRef(false);
  const end = () => {
    setDragged(undefined);
    setOrder(undefined);
  };
  // What was read in the meantime stands where it was dragged to, until it is read in its new order.
  const shown = order ? order.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []) : rows;
  const dragOver = (row: MasterRow, event: DragEvent) => {
    if (!dragged) return; // Of another page, or a file.
    event.preventDefault();
    const [from, to] = [dragged, row].map(({ id }) => shown.findIndex((other) => other.id === id)) as [number, number];
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const below = event.clientY - top - height / 2;
    // Only past the middle of a row, so that a high one does not jump to and fro.
    if (from === to || (from < to ? below < 0 : below > 0)) return;
    const others = shown.filter(({ id }) => id !== dragged.id);
    setOrder([...others.slice(0, to), dragged, ...others.slice(to)]);
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    const target = rows[shown.findIndex(({ id }) => id === dragged?.id)];
    if (dragged && target && target.id !== dragged.id) {
      isDropped.current = true;
      await onMove?.(dragged, target.id);
    }
    end();
  };
  const draggingOf = (row: MasterRow) => {
    if (!onMove) return {};
    return {
      draggable: true,
      className: row.id === dragged?.id ? styles.dragged : undefined,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dataTransfer.effectAllowed = 'move';
        dataTransfer.setData('text/plain', row.displayName);
        isDropped.current = false;
        setDragged(row);
      },
      onDragOver: (event: DragEvent) => dragOver(row, event),
      onDrop: drop,
      onDragEnd: () => isDropped.current || end(),
    };
  };
  return { shown, draggingOf };
}

function Cell({ field, value, name }: { field: MasterField; value: unknown; name: string | undefined }) {
  const words = shown(field, value, name);
  if (field.kind === 'yesNo' && value === false) return null;
  if (field.kind === 'oneOf' && field.isReadOnly)
    return <Chip kind={value === 'Current' ? 'good' : 'plain'}>{words}</Chip>;
  const colour = field.kind === 'oneOf' && field.options === colours && colours.find((name) => name === value);
  if (colour) return <Swatch colour={colour} />;
  return words;
}

interface ActionsProps {
  row: MasterRow;
  actions: RowActions;
  isFixed: boolean;
  isFirst: boolean;
  isLast: boolean;
}

function Actions({ row, actions, isFixed, isFirst, isLast }: ActionsProps) {
  const { t } = useLingui();
  const { onEdit, onHistory, onSwitch, onRemove, onMove, extraActions } = actions;
  const uses = row.usedBy;
  return (
    <RowMenu name={row.displayName}>
      {(from) => (
        <>
          {!isFixed && (
            <Menu.Item onClick={from(() => onEdit(row))}>
              <Trans>Edit</Trans>
            </Menu.Item>
          )}
          {extraActions?.(row)}
          {onMove && !isFirst && (
            <Menu.Item onClick={() => onMove(row, 'up')}>
              <Trans>Move up</Trans>
            </Menu.Item>
          )}
          {onMove && !isLast && (
            <Menu.Item onClick={() => onMove(row, 'down')}>
              <Trans>Move down</Trans>
            </Menu.Item>
          )}
          <Menu.Item onClick={from(() => onHistory(row))}>
            <Trans>History</Trans>
          </Menu.Item>
          {!isFixed && (
            <Menu.Item onClick={() => onSwitch(row)}>{row.isActive ? t`Deactivate` : t`Activate`}</Menu.Item>
          )}
          {isFixed ? (
            <Why>
              <Trans>Can’t be edited or deleted: used by a form</Trans>
            </Why>
          ) : uses === 0 ? (
            <Menu.Item onClick={from(() => onRemove(row))}>
              <Trans>Delete</Trans>
            </Menu.Item>
          ) : (
            <Why>
              <Plural value={uses} one="Can’t be deleted: used in # place" other="Can’t be deleted: used in # places" />
            </Why>
          )}
        </>
      )}
    </RowMenu>
  );
}

/** The reason that an action is disabled, in its place; it can be focused, so that it is read out. */
const Why = ({ children }: { children: ReactNode }) => (
  <Menu.Item aria-disabled closeMenuOnClick={false} className={styles.why}>
    {children}
  </Menu.Item>
);
