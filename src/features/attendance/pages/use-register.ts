import { useEffect, useMemo, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { openLocalCopies } from '#kit/browser/form/local-copy.ts';
import { noteUnsent } from '#kit/browser/form/unsent.ts';
import type { ErrorCode } from '#kit/contract/errors.ts';
import { type RegisterChild, type RegisterCode, type RegisterSheet, registerApi } from '../contract/register.ts';

export interface Mark {
  codeId: number;
  arrivedAt: string;
}

/** The whole register as this user left it, from their first mark until it is submitted. */
interface Draft {
  /** The version of the register that it began with. */
  rowVersion: number;
  marks: Record<string, Mark>;
  /** The Idempotency-Key, from the first attempt to submit these marks. */
  key: string;
  /** Submit was pressed while the line was gone. */
  isWaiting: boolean;
}

/** A child whose mark a colleague chose otherwise. */
export interface Difference {
  child: RegisterChild;
  theirs: Mark;
  mine: Mark;
}

const isSame = (one: Mark | null | undefined, other: Mark | null | undefined) =>
  one?.codeId === other?.codeId && one?.arrivedAt === other?.arrivedAt;

/** The register marks the child: it was not marked in another one, and has joined. */
export const isMarked = ({ takenIn, isNeverJoined }: RegisterChild) => takenIn === '' && !isNeverJoined;

/**
 * The marks of a register on its page. What is not submitted stays on this device, encrypted, and is sent once under one
 * key when the line is back.
 */
export function useRegister(sheet: RegisterSheet, onSubmitted: (id: number, version: number) => void) {
  const refusal = useRef<ErrorCode>(undefined);
  const { run, isBusy, problem, forget } = useAction(registerApi.submit, {
    onRefused: ({ code }) => {
      refusal.current = code;
    },
  });
  const [draft, setDraft] = useState<Draft>();
  const [past, setPast] = useState<(Draft | undefined)[]>([]);
  const sectionId = sheet.section?.id ?? 0;
  const name = [sectionId, sheet.day, ...(sheet.slot === 'Full day' ? [] : [sheet.slot])].join(' ');
  const copies = useMemo(() => openLocalCopies<Draft>(sheet.deviceKey, 'registers'), [sheet.deviceKey]);
  const version = sheet.register?.version ?? 0;
  const byId = useMemo(() => new Map(sheet.codes.map((code) => [code.id, code])), [sheet.codes]);
  const present = sheet.codes.find(({ kind, isOffered }) => kind === 'Present' && isOffered);
  const late = sheet.codes.find(({ kind, isOffered }) => kind === 'Late' && isOffered);

  /** The mark before this user changes it. */
  const firstMark = ({ mark, gateAt, leftCodeId, leave, awayCodeId }: RegisterChild): Mark => {
    if (mark) return mark;
    const left = sheet.codes.find(({ id, isOffered }) => id === leftCodeId && isOffered);
    if (left) return { codeId: left.id, arrivedAt: '' };
    if (gateAt && late) return { codeId: late.id, arrivedAt: gateAt };
    const wanted = leave?.codeId ?? awayCodeId;
    const offered = sheet.codes.find(({ id, isOffered }) => id === wanted && isOffered);
    return { codeId: (offered ?? present)?.id ?? 0, arrivedAt: '' };
  };
  const markOf = (child: RegisterChild): Mark => draft?.marks[child.studentId] ?? firstMark(child);
  const codeOf = (child: RegisterChild): RegisterCode | undefined => byId.get(markOf(child).codeId);
  const children = sheet.children.filter(isMarked);

  const differences: Difference[] =
    draft && draft.rowVersion !== version
      ? children.flatMap((child) => {
          const mine = draft.marks[child.studentId];
          return mine && child.mark && !isSame(mine, child.mark) ? [{ child, theirs: child.mark, mine }] : [];
        })
      : [];
  const isOutdated = draft !== undefined && draft.rowVersion !== version && differences.length === 0;

  const drop = () => {
    setDraft(undefined);
    setPast([]);
    forget();
    noteUnsent(name, false);
    void copies.forget(name);
  };
  /** Marks that are not on this device yet. */
  const unkept = useRef<Draft>(undefined);
  const latest = useRef({ draft, drop });
  latest.current = { draft, drop };

  useEffect(() => {
    void copies.read(name).then((kept) => kept && setDraft((current) => current ?? kept));
  }, [copies, name]);
  useEffect(() => {
    unkept.current = draft;
    if (!draft) return;
    noteUnsent(name, true);
    const timer = setTimeout(() => {
      unkept.current = undefined;
      void copies.keep(name, draft);
    }, 300);
    return () => clearTimeout(timer);
  }, [copies, name, draft]);
  // The other register of the day may be opened right after a mark.
  useEffect(
    () => () => {
      if (unkept.current) void copies.keep(name, unkept.current);
    },
    [copies, name],
  );
  // A colleague, or a submission whose answer was lost, has made the same marks.
  useEffect(() => {
    if (isOutdated) latest.current.drop();
  }, [isOutdated]);

  const begin = (): Draft =>
    draft ?? {
      rowVersion: version,
      marks: Object.fromEntries(children.map((child) => [child.studentId, firstMark(child)])),
      key: '',
      isWaiting: false,
    };
  /** Changes marks in one step, also for Undo. */
  const changeAll = (changes: readonly (readonly [RegisterChild, Mark])[]) => {
    const real = changes.filter(([child, mark]) => isMarked(child) && !isSame(markOf(child), mark));
    if (!sheet.mayTake || real.length === 0) return;
    const begun = begin();
    setPast((all) => [...all, draft].slice(-100));
    const marks = { ...begun.marks, ...Object.fromEntries(real.map(([child, mark]) => [child.studentId, mark])) };
    setDraft({ ...begun, marks, key: '', isWaiting: false });
  };
  const change = (child: RegisterChild, mark: Mark) => changeAll([[child, mark]]);
  const undoChange = () => {
    if (past.length === 0) return;
    const before = past.at(-1);
    setPast((all) => all.slice(0, -1));
    setDraft(before);
    if (before) return;
    noteUnsent(name, false);
    void copies.forget(name);
  };

  const send = async (what: Draft) => {
    const sent = { ...what, key: what.key || crypto.randomUUID() };
    setDraft(sent);
    await copies.keep(name, sent);
    const marks = children.map((child) => ({
      studentId: child.studentId,
      ...(sent.marks[child.studentId] ?? firstMark(child)),
    }));
    refusal.current = undefined;
    const input = { sectionId, day: sheet.day, slot: sheet.slot, rowVersion: sent.rowVersion, marks };
    const answer = await run(input, sent.key);
    if (answer) {
      latest.current.drop();
      onSubmitted(answer.id, answer.version);
      return;
    }
    // Without a refusal the previous attempt is still running.
    if (!refusal.current) return;
    const isAway = refusal.current === 'unavailable';
    setDraft({ ...sent, key: isAway ? sent.key : '', isWaiting: isAway });
    if (isAway) forget();
  };
  const sendLatest = useRef(() => {});
  sendLatest.current = () => {
    if (draft?.isWaiting && differences.length === 0) void send(draft);
  };
  const isWaiting = draft?.isWaiting === true;
  useEffect(() => {
    if (!isWaiting) return;
    const again = () => sendLatest.current();
    if (navigator.onLine) again();
    window.addEventListener('online', again);
    window.addEventListener('focus', again);
    return () => {
      window.removeEventListener('online', again);
      window.removeEventListener('focus', again);
    };
  }, [isWaiting]);

  return {
    children: sheet.children,
    markOf,
    codeOf,
    change,
    changeAll,
    undoChange: past.length > 0 ? undoChange : undefined,
    /** There is something to submit. */
    isChanged: draft !== undefined || version === 0,
    isKept: draft !== undefined,
    isWaiting,
    submit: () => void send(begin()),
    isBusy,
    problem,
    differences,
    takeTheirs: drop,
    keepMine: () => draft && setDraft({ ...draft, rowVersion: version, key: '', isWaiting: false }),
  };
}

export type Register = ReturnType<typeof useRegister>;
