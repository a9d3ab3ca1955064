import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { PlacedStudent } from '../contract/section-student.ts';

const kind = 'application/x-shala-students';

/** The ids of the dropped students. */
export const dragged = (data: DataTransfer): number[] => data.getData(kind).split(' ').filter(Boolean).map(Number);

interface Props {
  students: PlacedStudent[];
  ticked: ReadonlySet<number>;
  isClosed: boolean;
  /** Whether the students are those of a section, and so have roll numbers. */
  hasRolls: boolean;
  onTick: (ticked: ReadonlySet<number>) => void;
  onHistory: (student: PlacedStudent) => void;
}

/** Students to select, with Shift as a range; selected students are dragged together. */
export function StudentTicks({ students, ticked, isClosed, hasRolls, onTick, onHistory }: Props) {
  const { t } = useLingui();
  const last = useRef<number>(undefined);
  const genders = { F: t`Girl`, M: t`Boy`, T: t`Transgender` };
  const hasAll = students.every(({ id }) => ticked.has(id));
  const tick = (index: number, reaches: boolean) => {
    const from = reaches && last.current !== undefined ? last.current : index;
    const isOn = !ticked.has(students[index]?.id ?? 0);
    const next = new Set(ticked);
    for (const { id } of students.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    last.current = index;
    onTick(next);
  };
  return (
    <Table className="ticks">
      <VisuallyHidden as="caption">
        <Trans>Students</Trans>
      </VisuallyHidden>
      <thead>
        <tr>
          {!isClosed && (
            <th scope="col">
              <input
                type="checkbox"
                aria-label={t`Select all`}
                checked={hasAll}
                onChange={() => onTick(new Set(hasAll ? [] : students.map(({ id }) => id)))}
              />
            </th>
          )}
          {hasRolls && <th scope="col">{t`Roll no.`}</th>}
          <th scope="col">{t`Name`}</th>
          <th scope="col">{t`GR number`}</th>
          <th scope="col">{hasRolls ? t`Since` : t`Gender`}</th>
          <th scope="col">
            <VisuallyHidden>{t`History`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {students.map((student, index) => {
          const { id, name, grNo, gender, rollNo, since, until } = student;
          return (
            <tr
              key={id}
              className={ticked.has(id) ? 'tick-on' : undefined}
              draggable={!isClosed}
              onDragStart={({ dataTransfer }) =>
                dataTransfer.setData(kind, ticked.has(id) ? [...ticked].join(' ') : `${id}`)
              }
            >
              {!isClosed && (
                <td>
                  <input
                    type="checkbox"
                    id={`student-${id}`}
                    checked={ticked.has(id)}
                    onChange={({ nativeEvent }) =>
                      tick(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                    }
                  />
                </td>
              )}
              {hasRolls && <td className="number">{rollNo ?? '–'}</td>}
              <td className="tick-name">{isClosed ? name : <label htmlFor={`student-${id}`}>{name}</label>}</td>
              <td>{grNo}</td>
              <td>
                {hasRolls ? showDate(since) : genders[gender]}
                {until && (
                  <>
                    {' '}
                    <span className="soft">
                      <Trans>until {showDate(until)}</Trans>
                    </span>
                  </>
                )}
              </td>
              <td>
                <HistoryButton name={name} onOpen={() => onHistory(student)} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
