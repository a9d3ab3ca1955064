import type { ReactNode } from 'react';
import type { Preview } from '#kit/browser/data/preview.tsx';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { AskDialog } from './AskDialog.tsx';

interface Props<Operation extends Endpoint> {
  preview: Preview<Operation>;
  title: string;
  /** What the act means. */
  children?: ReactNode;
  /** The effects, row by row. */
  details?: ReactNode;
  /** The button that applies it. */
  confirm: ReactNode;
  onApplied: (answer: NonNullable<Preview<Operation>['shown']>['answer']) => unknown;
}

/** Shows a preview and applies exactly that after confirmation. Open while there is a preview. */
export function PreviewDialog<Operation extends Endpoint>(props: Props<Operation>) {
  const { preview, title, children, details, confirm, onApplied } = props;
  if (!preview.shown) return null;
  return (
    <AskDialog
      title={title}
      details={details}
      confirm={preview.shown.answer.confirmToken !== null && confirm}
      problem={preview.problem}
      onClose={preview.close}
      onConfirm={async (close) => {
        const answer = await preview.apply();
        if (!answer) return;
        close();
        await onApplied(answer);
      }}
    >
      {children}
    </AskDialog>
  );
}
