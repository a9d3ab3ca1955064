import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { checkApi } from '../contract/check.ts';
import type { Homework, HomeworkChild } from '../contract/homework.ts';
import type { Result } from '../contract/words.ts';

/** What the teacher enters for a child. */
export interface Entry {
  result: '' | Result;
  handedInOn: string;
  marks: number | null;
  feedback: string;
}

/** An entry that is not saved, with the version that it replaces. */
interface Edit extends Entry {
  version: number;
}

const entryOf = ({ result, handedInOn, marks, feedback }: HomeworkChild): Entry => ({
  result,
  handedInOn,
  marks,
  feedback,
});

export const isHandedIn = ({ result }: Pick<Entry, 'result'>) => result === 'Submitted' || result === 'Incomplete';

/** Marks in steps of 0.5 up to those of the homework can be saved; what is no number is NaN. */
export const isWrongMark = ({ marks }: Pick<Entry, 'marks'>, most: number | null) =>
  marks !== null && most !== null && !(marks >= 0 && marks <= most && Number.isInteger(marks * 2));

const isSame = (one: Entry, other: Entry) =>
  one.result === other.result &&
  (!isHandedIn(one) || one.handedInOn === other.handedInOn) &&
  one.marks === other.marks &&
  one.feedback === other.feedback;

/**
 * The day on which a pile was collected: today until the due day; later the due day for a pile that is marked first, and
 * today for those that follow.
 */
function usualDay({ today, dueOn, children }: Pick<Homework, 'today' | 'dueOn' | 'children'>): string {
  return today <= dueOn || children.some(({ version }) => version > 0) ? today : dueOn;
}

/** The results that a teacher enters, kept on the page until they are saved. */
export function useCheck(homework: Homework) {
  const { children, id } = homework;
  const [day, setDay] = useState(() => usualDay(homework));
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map());
  const sentStudents = useRef<number[]>([]);
  const [refused, setRefused] = useState<number>();
  // The server refuses rows by their place, such as "rows.3".
  const save = useAction(checkApi.save, {
    onRefused: ({ fields }) => setRefused(sentStudents.current[Number(Object.keys(fields)[0]?.split('.')[1])]),
  });
  const editOf = (child: HomeworkChild) => edits.get(child.studentId);
  const entry = (child: HomeworkChild): Entry => editOf(child) ?? entryOf(child);
  const changeAll = (changes: readonly (readonly [HomeworkChild, Partial<Entry>])[]) =>
    setEdits((before) => {
      const next = new Map(before);
      for (const [child, change] of changes) {
        const former = before.get(child.studentId) ?? { ...entryOf(child), version: child.version };
        const edit = { ...former, ...change };
        if (isHandedIn(edit)) edit.handedInOn ||= day;
        else edit.handedInOn = '';
        if (edit.result === '') Object.assign(edit, { marks: null, feedback: '' });
        if (isSame(edit, entryOf(child)) && edit.version === child.version) next.delete(child.studentId);
        else next.set(child.studentId, edit);
      }
      return next;
    });
  const change = (child: HomeworkChild, entered: Partial<Entry>) => changeAll([[child, entered]]);
  /** Results that another user saved since. */
  const differences = children.flatMap((child) => {
    const mine = editOf(child);
    return mine && mine.version !== child.version ? [{ child, mine, theirs: entryOf(child) }] : [];
  });
  const drop = (students: readonly number[]) =>
    setEdits((before) => new Map([...before].filter(([student]) => !students.includes(student))));
  const rebase = () =>
    setEdits((before) => {
      const next = new Map(before);
      for (const { child, mine } of differences) next.set(child.studentId, { ...mine, version: child.version });
      return next;
    });
  return {
    day,
    setDay,
    entry,
    change,
    changeAll,
    isEdited: (child: HomeworkChild) => edits.has(child.studentId),
    isChanged: edits.size > 0,
    count: edits.size,
    differences,
    takeTheirs: () => drop(differences.map(({ child }) => child.studentId)),
    keepMine: rebase,
    discard: () => setEdits(new Map()),
    /** The first student whose result the server refused. */
    refused: children.find(({ studentId }) => studentId === refused),
    isBusy: save.isBusy,
    problem: save.problem,
    /** True once everything is saved. */
    save: async () => {
      const sent = [...edits];
      const rows = sent.map(([studentId, edit]) => ({ studentId, ...edit }));
      sentStudents.current = sent.map(([studentId]) => studentId);
      setRefused(undefined);
      if (!(await save.run({ id, rows }))) return false;
      drop(sent.map(([studentId]) => studentId));
      return true;
    },
  };
}
