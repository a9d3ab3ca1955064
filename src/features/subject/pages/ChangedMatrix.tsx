import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { Matrix } from '#kit/browser/master/Matrix.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint, InputOf } from '#kit/contract/endpoint.ts';
import styles from './ChangedMatrix.module.css';

interface Props<Operation extends Endpoint> {
  label: string;
  className?: string;
  /** A count of the unsaved changes. */
  changes: number;
  onUndo: () => void;
  /** The operation that saves the changes together. */
  endpoint: Operation;
  /** The input sent to it. */
  input: () => InputOf<Operation>;
  /** The table. */
  children: ReactNode;
}

/** A table of choices that scrolls in its frame; its changes are saved together, or undone. */
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
    frame.current?.focus(); // The pressed button is gone by then.
  };
  const save = async () => {
    if (!(await run(input()))) return;
    undo();
    toast({ kind: 'success', title: t`Saved.` });
  };
  return (
    <>
      <LeaveGuard isChanged={changes > 0} />
      <Matrix ref={frame} label={label} className={className}>
        {children}
      </Matrix>
      {changes > 0 && (
        <Row gap={12} align="center" wrap py={12} className={styles.foot}>
          {problem}
          <span role="status">
            <Plural value={changes} one="# change is not saved yet" other="# changes are not saved yet" />
          </span>
          <Button onClick={undo}>
            <Trans>Discard changes</Trans>
          </Button>
          <Button kind="main" onClick={save}>
            <Trans>Save</Trans>
          </Button>
        </Row>
      )}
    </>
  );
}
