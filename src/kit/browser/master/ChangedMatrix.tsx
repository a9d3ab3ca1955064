import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint, InputOf } from '#kit/contract/endpoint.ts';
import './matrix.css';
import { Button } from '#kit/browser/ui/Button.tsx';

interface Props<Operation extends Endpoint> {
  label: string;
  className?: string;
  /** How much is changed and not saved. */
  changes: number;
  onUndo: () => void;
  /** Saves the changes together. */
  endpoint: Operation;
  /** What is sent to it. */
  input: () => InputOf<Operation>;
  /** The table. */
  children: ReactNode;
}

/** A table of choices that scrolls in its frame; what was changed in it is saved together, or taken back. */
export function ChangedMatrix<Operation extends Endpoint>({
  label,
  className,
  changes,
  onUndo,
  endpoint,
  input,
  children,
}: Props<Operation>) {
  const { t } = useLingui();
  const toast = useToast();
  const { run, problem, forget } = useAction(endpoint);
  const frame = useRef<HTMLElement>(null);
  const undo = () => {
    forget();
    onUndo();
    frame.current?.focus(); // The button that was pressed is gone then.
  };
  const save = async () => {
    if (!(await run(input()))) return;
    undo();
    toast({ kind: 'success', title: t`Saved.` });
  };
  return (
    <>
      <LeaveGuard isChanged={changes > 0} />
      <ScrollFrame ref={frame} className={className} label={label}>
        {children}
      </ScrollFrame>
      {changes > 0 && (
        <div className="matrix-foot">
          {problem}
          <span role="status">
            <Plural value={changes} one="# change is not saved yet" other="# changes are not saved yet" />
          </span>
          <Button onClick={undo}>
            <Trans>Undo</Trans>
          </Button>
          <Button kind="main" onClick={save}>
            <Trans>Save</Trans>
          </Button>
        </div>
      )}
    </>
  );
}
