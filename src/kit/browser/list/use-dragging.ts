import { type DragEvent, useRef, useState } from 'react';
import styles from './use-dragging.module.css';

/** Where a row is moved: a step, or to the place of the row with this id. */
export type Way = 'up' | 'down' | number;

/** Rows that can be dragged to another row's place, while `onMove` is there. The others make room. */
export function useDragging<Row extends { id: number }>(
  rows: readonly Row[],
  onMove: ((row: Row, to: number) => unknown) | undefined,
) {
  const [dragged, setDragged] = useState<Row>();
  /** The order the rows would be in. */
  const [order, setOrder] = useState<readonly Row[]>();
  const isDropped = useRef(false);
  const end = () => {
    setDragged(undefined);
    setOrder(undefined);
  };
  // What was read in the meantime stands where it was dragged to, until it is read in its new order.
  const inOrder = order ? order.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []) : rows;
  const dragOver = (row: Row, event: DragEvent) => {
    if (!dragged) return; // Of another page, or a file.
    event.preventDefault();
    const [from, to] = [dragged, row].map(({ id }) => inOrder.findIndex((other) => other.id === id)) as [
      number,
      number,
    ];
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const below = event.clientY - top - height / 2;
    // Only past the middle of a row, so that a high one does not jump to and fro.
    if (from === to || (from < to ? below < 0 : below > 0)) return;
    const others = inOrder.filter(({ id }) => id !== dragged.id);
    setOrder([...others.slice(0, to), dragged, ...others.slice(to)]);
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    const target = rows[inOrder.findIndex(({ id }) => id === dragged?.id)];
    if (dragged && target && target.id !== dragged.id) {
      isDropped.current = true;
      await onMove?.(dragged, target.id);
    }
    end();
  };
  const draggingOf = (row: Row, name: string) => {
    if (!onMove) return {};
    return {
      draggable: true,
      className: row.id === dragged?.id ? styles.dragged : undefined,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dataTransfer.effectAllowed = 'move';
        dataTransfer.setData('text/plain', name);
        isDropped.current = false;
        setDragged(row);
      },
      onDragOver: (event: DragEvent) => dragOver(row, event),
      onDrop: drop,
      onDragEnd: () => isDropped.current || end(),
    };
  };
  return { inOrder, draggingOf };
}

/** Where a moved row goes to be where it was: a step back, or to the place of the row that took its own. */
export function wayBack(rows: readonly { id: number }[], id: number, to: Way): Way | undefined {
  if (to === 'up') return 'down';
  if (to === 'down') return 'up';
  const [from, place] = [id, to].map((wanted) => rows.findIndex((row) => row.id === wanted)) as [number, number];
  return rows[from < place ? from + 1 : from - 1]?.id;
}
