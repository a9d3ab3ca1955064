import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import './matrix.css';

interface Props {
  label: string;
  className?: string;
  /** How much is changed and not saved. */
  changes: number;
  onUndo: () => void;
  /** Throws where it is refused, which is then said; else all is as saved. */
  onSave: () => Promise<unknown>;
  /** The table. */
  children: ReactNode;
}

/** A table of choices that scrolls in its frame; what was changed in it is saved together, or taken back. */
export function ChangedMatrix({ label, className = '', changes, onUndo, onSave, children }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { attempt, problem, forget } = useAttempt();
  const frame = useRef<HTMLElement>(null);
  const undo = () => {
    forget();
    onUndo();
    frame.current?.focus(); // The button that was pressed is gone then.
  };
  const save = () =>
    attempt(async () => {
      await onSave();
      undo();
      toast({ kind: 'success', title: t`Saved.` });
    });
  return (
    <>
      <LeaveGuard isChanged={changes > 0} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard. */}
      <section ref={frame} className={`matrix ${className}`} aria-label={label} tabIndex={0}>
        {children}
      </section>
      {changes > 0 && (
        <div className="matrix-foot">
          {problem}
          <span role="status">
            <Plural value={changes} one="# change is not saved yet" other="# changes are not saved yet" />
          </span>
          <button type="button" className="button" onClick={undo}>
            <Trans>Undo</Trans>
          </button>
          <button type="button" className="button button-main" onClick={save}>
            <Trans>Save</Trans>
          </button>
        </div>
      )}
    </>
  );
}
